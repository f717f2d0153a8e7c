open util/boolean

one sig Cell { my_a, my_b: Bool }
let a = Cell.my_a
let b = Cell.my_b

check two { Bool = True + False and True != False }
check tests { (isTrue[a] iff a = True) and (isFalse[a] iff a = False) }
check nothing { isTrue[none] and isFalse[none] and not isTrue[Bool] and not isFalse[Bool] }
check not_ { Not[True] = False and Not[False] = True }
check and_ { And[a, b] = True iff a = True and b = True }
check or_ { Or[a, b] = True iff a = True or b = True }
check xor_ { Xor[a, b] = True iff a != b }
check nand_ { Nand[a, b] = True iff not (a = True and b = True) }
check nor_ { Nor[a, b] = True iff not (a = True or b = True) }
check one_value { one And[a, b] and one Or[a, b] and one Xor[a, b] and one Nand[a, b] and one Nor[a, b] and one Not[a] }
