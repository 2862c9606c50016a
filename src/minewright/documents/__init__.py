"""The documents behind Minewright, one package per document: tables of claims, and one engine."""
