"""Formulas as MathML, and the typeface that draws them."""
