"""Books and sheets of Bullets puzzles as PDF.

The package that writes PDF files is optional, so what draws with it is imported when it is needed.
"""

from importlib import import_module

from minewright.bullets.book import Book
from minewright.bullets.printed import PAPERS, BookError, Paper
from minewright.bullets.sheet import Sheet


def book_pdf(book: Book, paper: Paper = "a4") -> bytes:
    """Return a book as a PDF on A4 or Letter: the same bytes for the same book.

    Raise BookError if it cannot be printed, or if the PDF package is missing.
    """
    check_paper(paper)
    need_pdf()
    from minewright.render.book import draw

    return draw(book, paper)


def sheet_pdf(sheet: Sheet, paper: Paper = "a4") -> bytes:
    """Return a sheet as a PDF on A4 or Letter: the same bytes for the same sheet.

    Raise BookError if it cannot be printed, or if the PDF package is missing.
    """
    check_paper(paper)
    need_pdf()
    from minewright.render.sheet import draw

    return draw(sheet, paper)


def check_paper(paper: Paper) -> None:
    """Raise BookError for an unknown paper size."""
    if paper not in PAPERS:
        raise BookError(f"there is no paper size {paper!r}; use {' or '.join(PAPERS)}")


def need_pdf() -> None:
    """Raise BookError if the PDF package is missing."""
    try:
        import_module("fpdf")
    except ModuleNotFoundError as error:
        if error.name != "fpdf":
            raise
        raise BookError("a PDF needs the package fpdf2: pip install 'minewright[pdf]'") from None
