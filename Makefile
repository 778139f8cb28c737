# make demo   sets everything up and runs a simulation, with pictures in demo-output/
# make test   sets everything up and runs every check
# Both build their own virtual environment in .venv once, and rebuild it only when pyproject.toml changes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check
WORKERS ?= 2

.PHONY: help demo test clean

help:
	@echo "make demo   simulate and draw two pictures in demo-output/"
	@echo "make test   run every check: style, types, tests"
	@echo "make clean  remove the environment, the caches and demo-output/"

demo: $(VENV)/.installed
	@mkdir -p demo-output
	$(BIN)/wfibp simulate field --alpha 1 --beta 1 --times 0:1:0.005 --level 0.05 --seed 2 --overwrite \
	  -o demo-output/field.csv --plot demo-output/field.png
	$(BIN)/wfibp simulate allocations --alpha 2 --beta 1 --times 0:0.8:0.1 --objects 20 --seed 1 --overwrite \
	  -o demo-output/allocations.csv --plot demo-output/allocations.png
	@echo
	@echo "Done. Two pictures are in the folder demo-output; open them with any image viewer or browser:"
	@echo "  demo-output/field.png        features are born, become popular, fade and die"
	@echo "  demo-output/allocations.png  who has which feature, at each time"
	@echo "The numbers behind them are beside them, as tables: field.csv and allocations.csv."

test: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -n $(WORKERS)

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
	rm -rf $(VENV) .numba_cache .mypy_cache .ruff_cache .pytest_cache .hypothesis demo-output
