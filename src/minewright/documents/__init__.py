"""The documents behind Minewright, one package per document; `reproduce` lists what can be run."""
