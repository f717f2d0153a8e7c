module util/boolean

-- The two truth values as atoms, for fields that hold one of them.

abstract sig Bool {}
one sig False extends Bool {}
one sig True extends Bool {}

-- A value is true if it is nothing else.
pred isTrue[b: Bool] { False not in b }
pred isFalse[b: Bool] { True not in b }

fun Not[b: Bool]: Bool { { x: Bool | x not in b } }

fun And[a, b: Bool]: Bool { isTrue[a] and isTrue[b] => True else False }
fun Nand[a, b: Bool]: Bool { Not[And[a, b]] }

fun Nor[a, b: Bool]: Bool { isFalse[a] and isFalse[b] => True else False }
fun Or[a, b: Bool]: Bool { Not[Nor[a, b]] }

fun Xor[a, b: Bool]: Bool { (isTrue[a + b] or isFalse[a + b]) => False else True }
