sig A { n: Int }
fact { all a: A | a.n + 1 = 3 }
fact { all a: A | a.n = a.n * 2 }
