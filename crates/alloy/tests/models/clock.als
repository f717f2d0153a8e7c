module clock

-- A light that goes on and off.
var sig On in Lamp {}
sig Lamp { var level: lone Int }

pred switch[l: Lamp] {
  l in On implies On' = On - l else On' = On + l
  level' = level
}

fact Trace {
  no On
  always some l: Lamp | switch[l]
  eventually historically no level
  once no On ; after (before some Lamp)
}

assert Seen { all l: Lamp | (l not in On) releases (l not in On) until l in On since no On triggered no On }
check Seen for 3 but 5 steps
run {} for 2 Lamp, 1.. steps
