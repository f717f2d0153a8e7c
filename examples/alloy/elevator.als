/* An elevator with buttons.

   The elevator goes one floor at a time in its direction and opens where somebody asked for it. It turns when
   nobody asked further on. With the maintenance key it may be held at a floor, and then nothing else counts.

     wherefore check elevator.als

   After the elevators of Farheen, Day, Vakili and Abbassi (2020) and of Kember, Tran, Gao and Day (2019). */

open ctl[Moment]
open util/ordering[Floor] as floors

sig Floor {}
enum Door { Open, Closed }
enum Way { Up, Down }
enum Key { Normal, Held }

sig Moment {
  floor: one Floor,
  door: one Door,
  way: one Way,
  key: one Key,
  called: set Floor
}

fact {
  all m, n: Moment |
    m.floor = n.floor and m.door = n.door and m.way = n.way and m.key = n.key and m.called = n.called implies m = n
}

pred parked[m: Moment] { m.floor = floors/first and m.door = Closed and m.way = Up and m.key = Normal and no m.called }

fun ahead[m: Moment]: set Floor { m.way = Up implies m.floor.nexts else m.floor.prevs }

-- Meanwhile people may call it to any floors.
pred maybeCalled[m, n: Moment] { m.called in n.called }

pred goesOn[m, n: Moment] {
  m.key = Normal and m.door = Closed and m.floor not in m.called
  some m.ahead & m.called
  n.floor = (m.way = Up implies m.floor.next else m.floor.prev)
  n.door = Closed and n.way = m.way and n.key = m.key
  maybeCalled[m, n]
}
pred turns[m, n: Moment] {
  m.key = Normal and m.door = Closed and m.floor not in m.called
  some m.called and no m.ahead & m.called
  n.way = Way - m.way
  n.floor = m.floor and n.door = Closed and n.key = m.key
  maybeCalled[m, n]
}
pred opens[m, n: Moment] {
  m.key = Normal and m.door = Closed and m.floor in m.called
  n.door = Open
  n.called = m.called - m.floor
  n.floor = m.floor and n.way = m.way and n.key = m.key
}
pred closes[m, n: Moment] {
  m.key = Normal and m.door = Open
  n.door = Closed
  n.floor = m.floor and n.way = m.way and n.key = m.key
  -- Whoever wanted to get in here is in. A mistake to try: with `maybeCalled[m, n]` instead of the next line, somebody
  -- may keep it here for ever, and nobody else is served.
  m.called - m.floor in n.called and m.floor not in n.called
}
pred rests[m, n: Moment] {
  m.key = Normal and m.door = Closed and no m.called
  n.floor = m.floor and n.door = m.door and n.way = m.way and n.key = m.key
  maybeCalled[m, n]
}
pred keyIsTurned[m, n: Moment] {
  m.door = Open
  n.key = Key - m.key
  n.floor = m.floor and n.door = m.door and n.way = m.way
  maybeCalled[m, n]
}
pred isHeld[m, n: Moment] {
  m.key = Held
  n.floor = m.floor and n.door = m.door and n.way = m.way and n.key = m.key
  maybeCalled[m, n]
}

fact {
  all m: Moment | m in initialState iff parked[m]
  all m, n: Moment | m -> n in nextState iff
    (goesOn[m, n] or turns[m, n] or opens[m, n] or closes[m, n] or rests[m, n] or keyIsTurned[m, n] or isHeld[m, n])
}

-- It is held only with an open door.
check HeldOpen { ctl_mc[ag[{m: Moment | m.key = Held implies m.door = Open}]] } for exactly 3 Floor, 9 Moment

-- An elevator that nobody calls may rest for ever, so this fails at once.
check Moves { ctl_mc[af[{m: Moment | m.door = Open}]] } for exactly 3 Floor, 9 Moment

-- Whoever calls it to the top is served, unless it is held.
check TopIsServed {
  ctl_mc[ag[imp_[{m: Moment | floors/last in m.called}, af[{m: Moment | m.key = Held or (m.floor = floors/last and m.door = Open)}]]]]
} for exactly 3 Floor, 9 Moment

-- Whoever calls it is served: no, since it may be held for ever.
check TopIsServedAlways {
  ctl_mc[ag[imp_[{m: Moment | floors/last in m.called}, af[{m: Moment | m.floor = floors/last and m.door = Open}]]]]
} for exactly 3 Floor, 9 Moment

-- It can always get back to the bottom, with nobody calling.
check CanPark { ctl_mc[ag[ef[{m: Moment | m.floor = floors/first and no m.called}]]] } for exactly 3 Floor, 9 Moment

-- It may open at the top without ever opening below.
run StraightUp {
  ctl_mc[eu[{m: Moment | m.door = Closed}, {m: Moment | m.floor = floors/last and m.door = Open}]]
} for exactly 3 Floor, 9 Moment
