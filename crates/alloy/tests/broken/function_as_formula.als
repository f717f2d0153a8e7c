sig A {}
fun f[a: A]: set A { a }
fact { all a: A | f[a] }
run f
