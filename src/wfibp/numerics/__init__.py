"""Random draws, alias tables and special functions that the libraries lack, ready for kernels."""
