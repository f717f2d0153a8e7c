sig A {}
assert fine { some A }
fact { fine }
run fine
