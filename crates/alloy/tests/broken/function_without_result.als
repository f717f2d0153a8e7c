sig A {}
fun f[a: A] { a }
