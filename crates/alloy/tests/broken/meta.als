sig A { f: A$ }
pred p { some sig$ }
run p
