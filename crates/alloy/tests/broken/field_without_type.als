sig A { f }
run {}
