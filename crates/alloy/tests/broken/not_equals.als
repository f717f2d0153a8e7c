sig A { f: A }
fact { all a: A | a.f <> a and a.f =! a }
