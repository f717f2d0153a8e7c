sig A {}
pred p { some A }
fact { all x: p | some x }
