module util/sequence[elem]

-- Sequences as atoms, which share indices of their own, in order. No two of them are the same sequence.

open util/ordering[SeqIdx] as ord

sig SeqIdx {}

sig Seq {
  seqElems: SeqIdx -> lone elem
} {
  all i: seqElems.elem | ord/prevs[i] in seqElems.elem
}

fact canonicalizeSeqs { all disj s, t: Seq | s.seqElems != t.seqElems }

-- No sequence has an element twice.
pred noDuplicates { no s: Seq | s.hasDups }

-- Whatever can be a sequence is one; the same for those without an element that is there twice.
pred allExist {
  some s: Seq | s.isEmpty
  all s: Seq, e: elem | some s.afterLastIdx => (some t: Seq | s.add[e, t])
}
pred allExistNoDuplicates {
  noDuplicates
  some s: Seq | s.isEmpty
  all s: Seq, e: elem | some s.afterLastIdx => e in s.elems or (some t: Seq | s.add[e, t])
}

pred isEmpty[s: Seq] { no s.seqElems }
pred hasDups[s: Seq] { some e: s.elems | not lone s.indsOf[e] }
pred startsWith[s, prefix: Seq] { prefix.seqElems in s.seqElems }

-- The elements: at an index, all of them, and those at the ends.
fun at[s: Seq, i: SeqIdx]: lone elem { s.seqElems[i] }
fun elems[s: Seq]: set elem { s.seqElems[SeqIdx] }
fun first[s: Seq]: lone elem { at[s, firstIdx] }
fun last[s: Seq]: lone elem { at[s, lastIdx[s]] }

-- The indices: the ends of all of them, those that are used, and those of an element.
fun firstIdx: SeqIdx { ord/first }
fun finalIdx: SeqIdx { ord/last }
fun inds[s: Seq]: set SeqIdx { s.seqElems.elem }
fun lastIdx[s: Seq]: lone SeqIdx { { i: s.inds | no s.inds & ord/nexts[i] } }
fun afterLastIdx[s: Seq]: lone SeqIdx { { i: SeqIdx - s.inds | ord/prevs[i] in s.inds } }
fun indsOf[s: Seq, e: elem]: set SeqIdx { { i: SeqIdx | e in at[s, i] } }
fun idxOf[s: Seq, e: elem]: lone SeqIdx { { i: s.indsOf[e] | no ord/prevs[i] & s.indsOf[e] } }
fun lastIdxOf[s: Seq, e: elem]: lone SeqIdx { { i: s.indsOf[e] | no ord/nexts[i] & s.indsOf[e] } }

-- The index that is as many places after the first ones as the other is after the beginning.
private fun behind[begin: set SeqIdx, i: SeqIdx]: lone SeqIdx {
  { j: SeqIdx - begin | #(ord/prevs[j] - begin) = #ord/prevs[i] }
}

-- From here on, a predicate says what one sequence is, compared with another.

pred rest[s, r: Seq] {
  some s.seqElems
  r.seqElems = { i: SeqIdx, x: elem | x in s.at[ord/next[i]] }
}
pred add[s: Seq, e: elem, added: Seq] {
  some s.afterLastIdx
  added.seqElems = s.seqElems + s.afterLastIdx -> e
}
pred setAt[s: Seq, i: SeqIdx, e: elem, changed: Seq] {
  changed.at[i] = e
  all j: SeqIdx - i | changed.at[j] = s.at[j]
}
pred insert[s: Seq, i: SeqIdx, e: elem, inserted: Seq] {
  some s.afterLastIdx
  inserted.seqElems = { j: SeqIdx, x: elem |
    j = i and x = e
    or j in ord/prevs[i] and x in s.at[j]
    or j in ord/nexts[i] and x in s.at[ord/prev[j]] }
}

-- The first sequence stands in the second one, from an index on.
pred copy[piece, whole: Seq, from: SeqIdx] {
  all i: piece.inds | whole.at[behind[ord/prevs[from], i]] = piece.at[i]
}
pred append[s, t, both: Seq] {
  both.seqElems - (s.inds <: both.seqElems) = { j: SeqIdx, x: elem |
    some i: t.inds | j in behind[s.inds, i] and x in t.at[i] }
  startsWith[both, s]
  all i: t.inds | some behind[s.inds, i]
}
pred subseq[s, piece: Seq, from, to: SeqIdx] {
  ord/lte[from, to]
  to in s.inds
  piece.seqElems = { j: SeqIdx, x: elem | x in s.at[behind[ord/prevs[from], j] - ord/nexts[to]] }
}
