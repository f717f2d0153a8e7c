sig A {}
fact { if some A then some A else no A }
