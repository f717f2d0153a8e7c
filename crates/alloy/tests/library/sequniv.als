sig E {}
one sig X in E {}
one sig Cell { my_s, my_t: seq E, free: Int -> E, my_i, my_j: Int }
let s = Cell.my_s
let t = Cell.my_t
let i = Cell.my_i
let j = Cell.my_j
let u = Cell.free
let full = 3
let places = { k: Int | k >= 0 and k < full }

check declared { isSeq[s] } for 3 but 2 E
check what_is { isSeq[u] iff ((all k: Int | lone k.u) and u.E = { k: Int | 0 <= k and k < #u } and #u <= full) } for 3 but 2 E, 3 Int
check empty { (isEmpty[s] iff no s) and (isEmpty[s] iff #s = 0) } for 3 but 2 E
check twice { hasDups[s] iff some disj k, l: places | some k.s and k.s = l.s } for 3 but 2 E
check elements { elems[s] = Int.s and first[s] = 0.s and last[s] = minus[#s, 1].s } for 3 but 2 E
check indices { inds[s] = s.E and lastIdx[s] = (#s = 0 => none else minus[#s, 1]) and afterLastIdx[s] = (#s = full => none else #s) } for 3 but 2 E
check indices_of {
  indsOf[s, X] = { k: places | k.s = X }
  idxOf[s, X] = { k: places | k.s = X and no l: places | l < k and l.s = X }
  lastIdxOf[s, X] = { k: places | k.s = X and no l: places | l > k and l.s = X }
} for 3 but 2 E
check shorter { (all k: Int | k.(rest[s]) = (k >= 0 => plus[k, 1].s else none)) and (all k: Int | k.(butlast[s]) = (k < minus[#s, 1] => k.s else none)) } for 3 but 2 E
check longer { add[s, X] = (#s = full => s else s + (#s) -> X) and isSeq[add[s, X]] } for 3 but 2 E
check replaced { i in inds[s] => all k: Int | k.(setAt[s, i, X]) = (k = i => X else k.s) } for 3 but 2 E
check put_in {
  0 <= i and i <= #s and i < full =>
    all k: places | k.(insert[s, i, X]) = (k < i => k.s else k = i => X else minus[k, 1].s)
} for 3 but 2 E
check put_in_is_one { 0 <= i and i <= #s and i < full => isSeq[insert[s, i, X]] } for 3 but 2 E
check taken_out { i in inds[s] => all k: Int | k.(delete[s, i]) = (k < i => k.s else plus[k, 1].s) } for 3 but 2 E
check both { all k: places | k.(append[s, t]) = (k < #s => k.s else minus[k, #s].t) } for 3 but 2 E
check both_is_one { isSeq[append[s, t]] and append[s, none -> none] = s and append[none -> none, t] = t } for 3 but 2 E
check a_part {
  0 <= i and i <= j and j < #s =>
    all k: Int | k.(subseq[s, i, j]) = (k >= 0 and k <= minus[j, i] => plus[k, i].s else none)
} for 3 but 2 E
