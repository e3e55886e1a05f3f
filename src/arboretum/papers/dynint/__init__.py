"""Tsymbal, Pechenizkiy and Cunningham (2006), Dynamic Integration with Random Forests."""
