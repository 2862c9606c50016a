"""Postolaki and Rahman, Final Report: methods of constraint propagation on three boards."""

PAPER = "Postolaki and Rahman, Final Report"
