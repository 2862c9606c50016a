"""The Analyse page: any position, drawn, pasted or read from a file."""
