sig A { f: set A }
fact { A ++ A = A }
fact { some A <: A }
fact { some f <: A }
