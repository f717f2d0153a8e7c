sig A { f: set A }
fact { A.f }
