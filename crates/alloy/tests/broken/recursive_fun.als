sig A { f: set A }
fun all_of[a: A]: set A { a + all_of[a.f] }
run { some all_of[A] }
