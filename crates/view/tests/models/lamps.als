module lamps

sig Lamp { next: one Lamp, var level: lone Int }
var sig On in Lamp {}

fact {
  no On
  always some l: Lamp | On' = On + l and level' = level + l -> 2
  eventually On = Lamp
}

run { some l: Lamp | l.next != l } for exactly 2 Lamp, 3 Int, 4 steps
