sig A { n: String }
fact { A.n = "
some A }
fact { A.n = "" }
