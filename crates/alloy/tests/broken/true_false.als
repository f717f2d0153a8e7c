sig A { b: Bool }
fact { true }
fact { A.b = False }
