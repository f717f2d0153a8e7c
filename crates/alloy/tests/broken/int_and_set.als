sig A { f: set A }
fact { #A.f = A }
fact { A > 2 }
fact { A.f = 2 }
