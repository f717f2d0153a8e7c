/* Musical chairs.

   While the music plays, everybody walks; when it stops, everybody who can takes a chair. Whoever is left
   standing leaves, and takes a chair along. The last one wins.

   A state of the game is what its fields say, so the whole game can be checked, not only games of a few states:

     wherefore check musical_chairs.als

   The game after Nissanke, as Farheen, Day, Vakili and Abbassi (2020) use it. */

open ctl[Game]

sig Player, Chair {}
one sig Alice extends Player {}

abstract sig Phase {}
one sig Ready, Walking, Seated, Over extends Phase {}

sig Game {
  phase: one Phase,
  playing: set Player,
  left: set Chair,
  sits: Player -> Chair
}

-- Two games with the same fields are the same.
fact {
  all g, h: Game |
    g.phase = h.phase and g.playing = h.playing and g.left = h.left and g.sits = h.sits implies g = h
}

pred begin[g: Game] {
  g.phase = Ready
  g.playing = Player
  g.left = Chair
  no g.sits
  #Player = plus[#Chair, 1]
}

pred musicStarts[g, h: Game] {
  g.phase = Ready and h.phase = Walking
  not one g.playing
  h.playing = g.playing
  h.left = g.left
  no h.sits
}

pred musicStops[g, h: Game] {
  g.phase = Walking and h.phase = Seated
  h.playing = g.playing
  h.left = g.left
  -- Every chair is taken, by one player, and nobody takes two.
  h.sits in h.playing -> h.left
  all c: h.left | one h.sits.c
  all p: h.playing | lone p.(h.sits)
}

pred oneLeaves[g, h: Game] {
  g.phase = Seated and h.phase = Ready
  h.playing = g.sits.Chair
  -- Any chair may go. A mistake to try: with `lone` instead of `one`, all may stay, and there are enough for everybody.
  one c: g.left | h.left = g.left - c
  no h.sits
}

pred gameEnds[g, h: Game] {
  g.phase in Ready + Over and h.phase = Over
  one g.playing
  h.playing = g.playing
  h.left = g.left
  h.sits = g.sits
}

fact {
  all g: Game | g in initialState iff begin[g]
  all g, h: Game | g -> h in nextState iff
    (musicStarts[g, h] or musicStops[g, h] or oneLeaves[g, h] or gameEnds[g, h])
}

-- There is always one chair too few.
check OneTooFew { ctl_mc[ag[{g: Game | #g.playing = plus[#g.left, 1]}]] }
  for exactly 3 Player, exactly 2 Chair, exactly 8 Game

-- Alice may win.
run AliceWins { ctl_mc[ef[{g: Game | g.phase = Over and g.playing = Alice}]] }
  for exactly 3 Player, exactly 2 Chair, exactly 8 Game

-- People sit down.
check TheySit { ctl_mc[af[{g: Game | g.phase = Seated}]] }
  for exactly 3 Player, exactly 2 Chair, exactly 8 Game

-- In the end one player is left, for good.
check SomebodyWins { ctl_mc[af[ag[{g: Game | one g.playing}]]] }
  for exactly 3 Player, exactly 2 Chair, exactly 8 Game

-- It need not be Alice.
check AliceAlwaysWins { ctl_mc[af[{g: Game | g.playing = Alice}]] }
  for exactly 3 Player, exactly 2 Chair, exactly 8 Game
