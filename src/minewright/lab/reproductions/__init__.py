"""Published tables and figures, one module each paper or figure; `lab.reproduce` lists them."""
