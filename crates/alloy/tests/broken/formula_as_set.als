sig A {}
fact { some (no A) }
