sig A { f: A -> A }
fact { some ^f }
fact { no A.*f }
