"""How Django writes days and hours by itself, in the office above all: as our pages write them."""
