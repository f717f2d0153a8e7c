sig A { f: set A }
fact { all x: A, some x.f }
