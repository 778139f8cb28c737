"""Long comparisons with theory and with the paper; each file is one command."""
