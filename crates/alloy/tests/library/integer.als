open util/integer
open util/ordering[A] as ord

sig A {}
one sig Cell { my_a, my_b: Int, my_s: set Int }
let a = Cell.my_a
let b = Cell.my_b
let s = Cell.my_s

check sums { plus[a, b] = add[a, b] and minus[plus[a, b], b] = a and sub[a, b] = minus[a, b] }
check two_and_two { plus[2, 2] = 4 and minus[2, 5] = -3 and mul[2, -3] = -6 }
check products { mul[a, 0] = 0 and mul[a, 1] = a and mul[a, b] = mul[b, a] and mul[a, plus[b, 1]] = plus[mul[a, b], a] }
check quotients { div[7, 2] = 3 and div[-7, 2] = -3 and div[6, -3] = -2 and rem[7, 2] = 1 and rem[-7, 2] = -1 }
check remainders { b != 0 => plus[mul[div[a, b], b], rem[a, b]] = a }
check signs { negate[a] = minus[0, a] and (signum[a] = 1 iff a > 0) and (signum[a] = -1 iff a < 0) and (signum[a] = 0 iff a = 0) }
check comparison {
  (eq[a, b] iff a = b) and (lt[a, b] iff a < b) and (lte[a, b] iff a <= b)
  (gt[a, b] iff a > b) and (gte[a, b] iff a >= b)
}
check with_zero {
  (zero[a] iff a = 0) and (pos[a] iff a > 0) and (neg[a] iff a < 0)
  (nonpos[a] iff a <= 0) and (nonneg[a] iff a >= 0)
}
check of_two { larger[a, b] >= a and larger[a, b] >= b and larger[a, b] in a + b and smaller[a, b] <= a and smaller[a, b] <= b and smaller[a, b] in a + b }
check ends { (all i: Int | min <= i and i <= max) and one min and one max }
check neighbours { all i, j: Int | (i -> j in next iff (i < j and no k: Int | i < k and k < j)) and (i -> j in prev iff j -> i in next) }
check sides { prevs[a] = { i: Int | i < a } and nexts[a] = { i: Int | i > a } }
check greatest { max[s] = { i: s | all j: s | j <= i } and lone max[s] }
check least { min[s] = { i: s | all j: s | i <= j } and lone min[s] }
check numbers { all x: A | elem2int[x, ord/next] = #ord/prevs[x] and int2elem[elem2int[x, ord/next], ord/next, A] = x } for 4
check no_atom { no int2elem[-1, ord/next, A] and no int2elem[5, ord/next, A] } for 4
check by_zero { div[0, 0] = 0 and (a > 0 => div[a, 0] = -1) and (a < 0 => div[a, 0] = 1) and rem[a, 0] = a }
check by_minus_one { div[min, -1] = min and rem[min, -1] = 0 }
