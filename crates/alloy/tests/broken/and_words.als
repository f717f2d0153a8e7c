sig A {}
fact { some A & no A }
fact { some A | some A }
