"""Liu, Ting, Yu and Zhou (2008), Spectrum of Variable-Random Trees, JAIR 32."""
