sig A { f: set A }
fact { all a: A | a.f = lone A }
fact { set A }
