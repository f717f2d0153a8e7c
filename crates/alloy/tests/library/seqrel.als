open util/seqrel[E] as q
open util/ordering[SeqIdx] as o

sig E {}
one sig X in E {}
one sig Cell { my_s, my_t: SeqIdx -> E, my_i, my_j: SeqIdx }
let s = Cell.my_s
let t = Cell.my_t
let i = Cell.my_i
let j = Cell.my_j
let to[k] = #o/prevs[k]

check what_is { isSeq[s] iff ((all k: SeqIdx | lone k.s) and (all k: SeqIdx | some k.s => some o/prev[k].s or k = o/first)) } for 3 but 2 E
check empty { isEmpty[s] iff no s } for 3 but 2 E
check twice { isSeq[s] => (hasDups[s] iff some disj k, l: SeqIdx | some k.s and k.s = l.s) } for 3 but 2 E
check elements { isSeq[s] => elems[s] = SeqIdx.s and q/first[s] = o/first.s and q/last[s] = { k: SeqIdx | to[k] = minus[#s, 1] }.s } for 3 but 2 E
check indices { isSeq[s] => inds[s] = s.E and lastIdx[s] = { k: SeqIdx | to[k] = minus[#s, 1] } and afterLastIdx[s] = { k: SeqIdx | to[k] = #s } } for 3 but 2 E
check all_indices { firstIdx = o/first and finalIdx = o/last } for 3
check indices_of { indsOf[s, X] = s.X and idxOf[s, X] = o/min[s.X] and lastIdxOf[s, X] = o/max[s.X] } for 3 but 2 E
check shorter { isSeq[s] => (all k: SeqIdx | k.(rest[s]) = o/next[k].s and k.(butlast[s]) = (some o/next[k].s => k.s else none)) } for 3 but 2 E
check longer { isSeq[s] => add[s, X] = (#s = 3 => s else s + { k: SeqIdx | to[k] = #s } -> X) } for 3 but 2 E
check replaced { all k: SeqIdx | k.(setAt[s, i, X]) = (k = i => X else k.s) } for 3 but 2 E
check put_in { all k: SeqIdx | k.(insert[s, i, X]) = (o/lt[k, i] => k.s else k = i => X else o/prev[k].s) } for 3 but 2 E
check taken_out { all k: SeqIdx | k.(delete[s, i]) = (o/lt[k, i] => k.s else o/next[k].s) } for 3 but 2 E
check both { isSeq[s] and isSeq[t] => all k: SeqIdx | k.(append[s, t]) = (to[k] < #s => k.s else { l: SeqIdx | plus[to[l], #s] = to[k] }.t) } for 3 but 2 E
check a_part { isSeq[s] and o/lte[i, j] and some j.s => all k: SeqIdx | k.(subseq[s, i, j]) = { l: SeqIdx | to[l] = plus[to[k], to[i]] and o/lte[l, j] }.s } for 3 but 2 E
