sig A { f: set A }
fact { A in f }
fact { A + f = A }
fact { ~A = f }
