/* A crossing of three roads with lights.

   Each road has a light and a sensor that says whether cars wait. A light turns green when the others are red, and
   goes back by yellow. Nothing makes a light change soon: that every road gets its turn is a promise of fairness
   (`fc`: lights do not stay as they are while cars wait). So what must happen is asked of infinite runs, and no
   formula is one of finite liveness.

     wherefore check traffic_light.als

   After the three-way traffic light of Farheen, Day, Vakili and Abbassi (2020). */

open ctlfc[Crossing]

enum Light { Red, Green, Yellow }
abstract sig Road { next: one Road }
one sig North, East, South extends Road {}
fact { next = North -> East + East -> South + South -> North }

sig Crossing {
  light: Road -> one Light,
  waiting: set Road,
  turn: one Road,
  moved: lone Road
}

fact {
  all c, d: Crossing |
    c.light = d.light and c.waiting = d.waiting and c.turn = d.turn and c.moved = d.moved implies c = d
}

pred allRed[c: Crossing] { c.light = Road -> Red and no c.waiting and c.turn = North and no c.moved }

pred carArrives[c, d: Crossing, r: Road] {
  r not in c.waiting and r.(c.light) != Green
  d.waiting = c.waiting + r
  d.light = c.light and d.turn = c.turn and no d.moved
}
-- A mistake to try: where only the light of the turn must be red, as `c.turn.(c.light) = Red`, and a road gives its turn
-- away whatever the others show, two roads drive at once.
pred turnsGreen[c, d: Crossing] {
  c.light = Road -> Red and c.turn in c.waiting
  d.light = c.light ++ c.turn -> Green
  d.waiting = c.waiting - c.turn
  d.turn = c.turn and d.moved = c.turn
}
pred turnsYellow[c, d: Crossing] {
  c.turn.(c.light) = Green
  d.light = c.light ++ c.turn -> Yellow
  d.waiting = c.waiting and d.turn = c.turn and d.moved = c.turn
}
pred turnsRed[c, d: Crossing] {
  c.turn.(c.light) = Yellow
  d.light = c.light ++ c.turn -> Red
  d.waiting = c.waiting and d.turn = c.turn.next and d.moved = c.turn
}
-- A road without cars gives its turn away.
pred isSkipped[c, d: Crossing] {
  c.light = Road -> Red and c.turn not in c.waiting
  d.turn = c.turn.next
  d.light = c.light and d.waiting = c.waiting and d.moved = c.turn
}
pred nothingHappens[c, d: Crossing] {
  d.light = c.light and d.waiting = c.waiting and d.turn = c.turn and no d.moved
}

fact {
  all c: Crossing | c in initialState iff allRed[c]
  all c, d: Crossing | c -> d in nextState iff
    ((some r: Road | carArrives[c, d, r]) or turnsGreen[c, d] or turnsYellow[c, d] or turnsRed[c, d] or
      isSkipped[c, d] or nothingHappens[c, d])
  all c: Crossing | c in fc iff some c.moved
}

-- Never may cars of two roads drive.
check OneAtATime { ctlfc_mc[ag[{c: Crossing | lone (c.light).(Green + Yellow)}]] } for 10 Crossing

-- Some light or turn moves.
check SomethingMoves { ctlfc_mc[af[{c: Crossing | some c.moved}]] } for 10 Crossing

-- Whoever waits drives in the end.
check NorthDrives {
  ctlfc_mc[ag[imp_[{c: Crossing | North in c.waiting}, af[{c: Crossing | North.(c.light) = Green}]]]]
} for 10 Crossing

-- Whoever waits drives before anybody else does: no, East may have had its turn.
check NorthIsNext {
  ctlfc_mc[ag[imp_[{c: Crossing | North in c.waiting and c.light = Road -> Red},
    au[{c: Crossing | East.(c.light) != Green}, {c: Crossing | North.(c.light) = Green}]]]]
} for 10 Crossing

-- All may be red with nobody waiting, again and again: it is possible that the crossing is empty.
run Empty { ctlfc_mc[ef[{c: Crossing | no c.waiting and c.light = Road -> Red and some c.moved}]] } for 10 Crossing
