"""The pattern book: the steps that games need, brought to one form, counted, and set as drills.

>>> from minewright import patterns
>>> first = next(pattern for pattern in patterns.book().patterns if pattern.name == "1-2")
>>> print(first.form)
###
-21
"""

from minewright.patterns.book import Book, Pattern, book
from minewright.patterns.form import Form, form_of

__all__ = ["Book", "Form", "Pattern", "book", "form_of"]
