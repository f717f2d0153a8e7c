open util/sequence[E] as q
open util/ordering[SeqIdx] as o

sig E {}
one sig X in E {}
one sig Cell { my_s, my_t, my_u: Seq, my_i, my_j: SeqIdx }
let s = Cell.my_s
let t = Cell.my_t
let u = Cell.my_u
let i = Cell.my_i
let j = Cell.my_j
let to[k] = #o/prevs[k]
let size[x] = #(x.seqElems)

check initial { all k: SeqIdx | some k.(s.seqElems) iff to[k] < size[s] } for 3 but 2 E
check different { all x, y: Seq | x.seqElems = y.seqElems => x = y } for 3 but 2 E
check empty { s.isEmpty iff size[s] = 0 } for 3 but 2 E
check twice { s.hasDups iff some disj k, l: SeqIdx | some s.at[k] and s.at[k] = s.at[l] } for 3 but 2 E
check no_twice { noDuplicates iff all x: Seq, e: E | lone x.indsOf[e] } for 3 but 2 E
check all_there { allExist => (some x: Seq | size[x] = 0) and (all e: E | some x: Seq | x.first = e and size[x] = 1) and (all e, f: E | some x: Seq | x.first = e and x.last = f and size[x] = 2) } for 7 but exactly 2 SeqIdx, 2 E
check all_without_twice { allExistNoDuplicates => noDuplicates and (all disj e, f: E | some x: Seq | x.first = e and x.last = f and size[x] = 2) } for 5 but exactly 2 SeqIdx, 2 E
check prefix { s.startsWith[t] iff all k: t.inds | s.at[k] = t.at[k] } for 3 but 2 E
check elements { s.at[i] = i.(s.seqElems) and s.elems = SeqIdx.(s.seqElems) and s.first = s.at[o/first] and s.last = s.at[{ k: SeqIdx | to[k] = minus[size[s], 1] }] } for 3 but 2 E
check indices { s.inds = s.seqElems.E and s.lastIdx = o/max[s.inds] and s.afterLastIdx = { k: SeqIdx | to[k] = size[s] } } for 3 but 2 E
check all_indices { firstIdx = o/first and finalIdx = o/last } for 3 but 2 E
check indices_of { s.indsOf[X] = s.seqElems.X and s.idxOf[X] = o/min[s.seqElems.X] and s.lastIdxOf[X] = o/max[s.seqElems.X] } for 3 but 2 E
check shorter { q/rest[s, t] iff (some s.seqElems and all k: SeqIdx | t.at[k] = s.at[o/next[k]]) } for 3 but 2 E
check longer { q/add[s, X, t] iff (size[t] = plus[size[s], 1] and t.startsWith[s] and t.last = X) } for 3 but 2 E
check replaced { q/setAt[s, i, X, t] iff t.seqElems = s.seqElems ++ i -> X } for 3 but 2 E
check put_in {
  q/insert[s, i, X, t] iff (size[t] = plus[size[s], 1]
    and all k: SeqIdx | t.at[k] = (o/lt[k, i] => s.at[k] else k = i => X else s.at[o/prev[k]]))
} for 3 but 2 E
check copied { q/copy[s, t, i] iff all k: s.inds | some l: SeqIdx | to[l] = plus[to[i], to[k]] and t.at[l] = s.at[k] } for 3 but 2 E
check both {
  q/append[s, t, u] iff (size[u] = plus[size[s], size[t]] and u.startsWith[s]
    and all k: t.inds | u.at[{ l: SeqIdx | to[l] = plus[to[k], size[s]] }] = t.at[k])
} for 3 but 2 E
check a_part {
  q/subseq[s, t, i, j] iff (o/lte[i, j] and some s.at[j] and size[t] = plus[minus[to[j], to[i]], 1]
    and all k: t.inds | t.at[k] = s.at[{ l: SeqIdx | to[l] = plus[to[k], to[i]] }])
} for 3 but 2 E
