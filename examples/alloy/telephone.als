/* Telephones with features that get into each other's way.

   A telephone rings another one. When that one is busy, call waiting puts the caller into a queue, and call
   forwarding sends the caller on to another telephone. A telephone that has both features can do both with one
   call: that is a feature interaction.

     wherefore check telephone.als

   After the feature interaction of Farheen, Day, Vakili and Abbassi (2020). */

open ctl[Exchange]

sig Telephone { forward: lone Telephone }
sig Waits in Telephone {}
fact { no ^forward & iden }

sig Exchange {
  ringing: Telephone -> lone Telephone,
  talking: Telephone -> lone Telephone,
  queued: Telephone -> lone Telephone,
  forwarded: Telephone -> lone Telephone
}

fact {
  all e, f: Exchange |
    e.ringing = f.ringing and e.talking = f.talking and e.queued = f.queued and e.forwarded = f.forwarded
      implies e = f
}

pred quiet[e: Exchange] { no e.ringing and no e.talking and no e.queued and no e.forwarded }

-- Callers: who rings, talks by a call of its own, or waits. Called: who is talked to.
fun callers[e: Exchange]: set Telephone { (e.ringing + e.talking + e.queued).Telephone }
fun engaged[e: Exchange]: set Telephone { e.callers + Telephone.(e.talking) }

pred dials[e, f: Exchange, a, b: Telephone] {
  a not in e.engaged and a != b
  f.ringing = e.ringing + a -> b
  f.talking = e.talking and f.queued = e.queued and f.forwarded = e.forwarded
}
pred answers[e, f: Exchange, a, b: Telephone] {
  a -> b in e.ringing and b not in e.engaged
  f.ringing = e.ringing - a -> b
  f.talking = e.talking + a -> b
  f.queued = e.queued and f.forwarded = e.forwarded
}
pred isQueued[e, f: Exchange, a, b: Telephone] {
  a -> b in e.ringing and b in e.engaged and b in Waits and no e.queued.b
  f.ringing = e.ringing - a -> b
  f.queued = e.queued + a -> b
  f.talking = e.talking and f.forwarded = e.forwarded
}
pred isForwarded[e, f: Exchange, a, b: Telephone] {
  a -> b in e.ringing + e.queued and b in e.engaged and some b.forward and b.forward != a
  f.ringing = e.ringing - a -> b + a -> b.forward
  -- The seeded mistake: whoever is queued already stays queued.
  f.queued = e.queued
  f.talking = e.talking
  f.forwarded = e.forwarded + a -> b.forward
}
pred hangsUp[e, f: Exchange, a: Telephone] {
  a in e.callers
  f.ringing = e.ringing - a -> Telephone
  f.talking = e.talking - a -> Telephone
  f.queued = e.queued - a -> Telephone
  f.forwarded = e.forwarded - a -> Telephone
}
pred nothingHappens[e, f: Exchange] {
  f.ringing = e.ringing and f.talking = e.talking and f.queued = e.queued and f.forwarded = e.forwarded
}

fact {
  all e: Exchange | e in initialState iff quiet[e]
  all e, f: Exchange | e -> f in nextState iff
    ((some a, b: Telephone | dials[e, f, a, b] or answers[e, f, a, b] or isQueued[e, f, a, b] or isForwarded[e, f, a, b])
      or (some a: Telephone | hangsUp[e, f, a]) or nothingHappens[e, f])
}

-- Nobody talks to itself.
check NotToItself { ctl_mc[ag[{e: Exchange | no e.talking & iden}]] } for exactly 3 Telephone, 6 Exchange

-- Nobody waits for one telephone and rings another one with the same call.
check OneWayAtATime {
  ctl_mc[ag[{e: Exchange | no e.queued.Telephone & e.ringing.Telephone}]]
} for exactly 3 Telephone, 6 Exchange

-- Somebody dials: not if nobody wants to.
check SomebodyDials { ctl_mc[af[{e: Exchange | some e.ringing}]] } for exactly 3 Telephone, 6 Exchange

-- Whoever waits is connected in the end: not if the others talk for ever.
check Connected {
  ctl_mc[ag[imp_[{e: Exchange | some e.queued}, af[{e: Exchange | no e.queued}]]]]
} for exactly 3 Telephone, 6 Exchange

-- Everything can end in silence.
check CanBeQuiet { ctl_mc[ag[ef[{e: Exchange | quiet[e]}]]] } for exactly 3 Telephone, 6 Exchange

-- Two may talk.
run Talk { ctl_mc[ef[{e: Exchange | some e.talking}]] } for exactly 3 Telephone, 6 Exchange
