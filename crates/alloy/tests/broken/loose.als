sig A {}
fact { A & #A = A }
fact { some A + no A }
