module util/boolean

-- Truth values as atoms, to be stored in fields.

abstract sig Bool {}
one sig True, False extends Bool {}

pred isTrue[b: Bool] { b in True }
pred isFalse[b: Bool] { b in False }

fun Not[b: Bool]: Bool { Bool - b }
fun And[a, b: Bool]: Bool { (a = True and b = True) => True else False }
fun Or[a, b: Bool]: Bool { (a = True or b = True) => True else False }
fun Xor[a, b: Bool]: Bool { a = b => False else True }
fun Nand[a, b: Bool]: Bool { Not[And[a, b]] }
fun Nor[a, b: Bool]: Bool { Not[Or[a, b]] }
