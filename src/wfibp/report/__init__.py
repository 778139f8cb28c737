"""Tables, summaries and pictures of results; nothing here draws a random number."""
