"""Numbers in the server's sentences, written as the page writes them."""


def percent(chance: float) -> str:
    """Return a probability as a percentage with one decimal; only 0 and 1 look certain."""
    if chance in (0.0, 1.0):
        return f"{100 * chance:.0f}%"
    text = f"{100 * chance:.1f}%"
    return {"0.0%": "<0.1%", "100.0%": ">99.9%"}.get(text, text)
