sig A { f: A; g: A; }
fact { some A; }
run {};
