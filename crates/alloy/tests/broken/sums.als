sig A { n: set Int }
fact { #A = #A.n + 1 }
fact { all a: A | #a.n - 1 = 2 }
fact { some a: A | a.n = 1 + 2 }
