# make demo   sets everything up and finds the topics of the State of the Union addresses, with a page in demo-output/
# make test   sets everything up and runs every check
# make docs   sets everything up and builds the documentation in site/
# All build their own virtual environment in .venv once, and rebuild it only when pyproject.toml changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check
WORKERS ?= 2

.PHONY: help demo test docs clean

help:
	@echo "make demo   find topics in two centuries of speeches; page in demo-output/"
	@echo "make test   run every check: style, types, tests, the documentation among them"
	@echo "make docs   build the documentation; open site/index.html"
	@echo "make clean  remove the environment, the caches, site/ and demo-output/"

demo: $(VENV)/.installed
	$(BIN)/wfibp demo --output demo-output

test: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy & types=$$!; $(BIN)/pytest -n $(WORKERS) --dist worksteal; tests=$$?; wait $$types && exit $$tests

docs: $(VENV)/.installed-dev
	$(BIN)/python docs/cli_reference.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "wfibp needs Python 3.11 or newer; say where it is, for example: make demo PYTHON=python3.12"; exit 1; }
	@echo "Setting up $(VENV) (once; a minute or two) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade "pip>=25.1"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Adding the tools that check the code ..."
	@$(PIP) install --group dev
	@touch $@

clean:
	rm -rf $(VENV) .numba_cache .mypy_cache .ruff_cache .pytest_cache .hypothesis site demo-output
