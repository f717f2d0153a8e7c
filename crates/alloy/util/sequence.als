module util/sequence[elem]

-- Sequences as atoms: each has the elements of an initial segment of a shared set of indices.

open util/ordering[SeqIdx] as ord

sig SeqIdx {}

sig Seq {
  seqElems: SeqIdx -> lone elem
} {
  all i: inds - ord/first | some ord/prev[i].seqElems
}

fact canonicalizeSeqs {
  no disj s, t: Seq | s.seqElems = t.seqElems
}

pred allExist {
  (some s: Seq | s.isEmpty) && (all s: Seq | SeqIdx !in s.inds => (all e: elem | some t: Seq | add[s, e, t]))
}
pred allExistNoDups {
  some s: Seq | s.isEmpty
  all s: Seq {
    !s.hasDups
    SeqIdx !in s.inds => (all e: elem - s.elems | some t: Seq | add[s, e, t])
  }
}

fun Seq.at[i: SeqIdx]: lone elem { i.(this.seqElems) }
fun Seq.elems: set elem { SeqIdx.(this.seqElems) }
fun Seq.first: lone elem { this.at[ord/first] }
fun Seq.last: lone elem { this.at[this.lastIdx] }
fun Seq.inds: set SeqIdx { this.seqElems.elem }
fun Seq.lastIdx: lone SeqIdx { ord/max[this.inds] }
fun Seq.afterLastIdx: lone SeqIdx { ord/min[SeqIdx - this.inds] }
fun Seq.idxOf[e: elem]: lone SeqIdx { ord/min[this.indsOf[e]] }
fun Seq.lastIdxOf[e: elem]: lone SeqIdx { ord/max[this.indsOf[e]] }
fun Seq.indsOf[e: elem]: set SeqIdx { this.seqElems.e }
fun firstIdx: SeqIdx { ord/first }
fun finalIdx: SeqIdx { ord/last }

pred Seq.isEmpty { no this.elems }
pred Seq.hasDups { #(this.elems) < #(this.inds) }

pred startsWith[s, prefix: Seq] { all i: prefix.inds | s.at[i] = prefix.at[i] }
pred rest[s, r: Seq] {
  !s.isEmpty
  all i: SeqIdx | r.at[i] = s.at[ord/next[i]]
}
pred add[s: Seq, e: elem, added: Seq] {
  added.startsWith[s]
  added.at[s.afterLastIdx] = e
  #(added.inds) = plus[#(s.inds), 1]
}
pred setAt[s: Seq, i: SeqIdx, e: elem, setted: Seq] {
  setted.at[i] = e
  all j: SeqIdx - i | setted.at[j] = s.at[j]
}
pred insert[s: Seq, i: SeqIdx, e: elem, inserted: Seq] {
  inserted.at[i] = e
  all j: SeqIdx | ord/lt[j, i] => inserted.at[j] = s.at[j]
  all j: SeqIdx | ord/gt[j, i] => inserted.at[j] = s.at[ord/prev[j]]
  #(inserted.inds) = plus[#(s.inds), 1]
}
pred copy[source, dest: Seq, from: SeqIdx] {
  all i: source.inds | dest.at[{ j: SeqIdx | #ord/prevs[j] = plus[#ord/prevs[from], #ord/prevs[i]] }] = source.at[i]
}
pred append[s, t, appended: Seq] {
  appended.startsWith[s]
  all i: t.inds | appended.at[{ j: SeqIdx | #ord/prevs[j] = plus[#(s.inds), #ord/prevs[i]] }] = t.at[i]
  #(appended.inds) = plus[#(s.inds), #(t.inds)]
}
pred subseq[s, sub: Seq, from, to: SeqIdx] {
  ord/lte[from, to]
  to in s.inds
  all i: SeqIdx | sub.at[i] = s.at[{ j: SeqIdx | j in from + ord/nexts[from] and ord/lte[j, to] and #ord/prevs[j] = plus[#ord/prevs[from], #ord/prevs[i]] }]
}
