sig A {}
pred p { some A }
check p
