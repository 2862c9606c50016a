"""A person's data: the cookie that names them, and everything kept for them."""
