"""The web app: a server that holds the rules and the minefields, and a page that shows them."""
