/* Reliable data transfer, with a flaw.

   The sender sends a packet and waits; the receiver acknowledges it, and the sender sends the next one, or the
   same one again when the acknowledgement was bad. After a good packet with a bad acknowledgement, the
   receiver already expects the next packet while the sender repeats the last: the packet is taken twice.

     wherefore check data_transfer.als

   The example after Kember, Tran, Gao and Day (2019). */

open ctl[Link]

enum Sender { SendNext, Waiting, SendAgain }
enum Receiver { Expecting, GotPacket, GotGarbage }

sig Link {
  sender: one Sender,
  receiver: one Receiver
}

fact { all a, b: Link | a.sender = b.sender and a.receiver = b.receiver implies a = b }

pred idle[a: Link] { a.sender = SendNext and a.receiver = Expecting }

pred packetArrives[a, b: Link] {
  a.sender != Waiting
  b.sender = Waiting and b.receiver = GotPacket
}
pred packetIsGarbled[a, b: Link] {
  a.sender != Waiting
  b.sender = Waiting and b.receiver = GotGarbage
}
pred goodAnswer[a, b: Link] {
  a.sender = Waiting and a.receiver = GotPacket
  b.sender = SendNext and b.receiver = Expecting
}
pred badAnswer[a, b: Link] {
  a.sender = Waiting
  b.sender = SendAgain
  a.receiver = GotPacket implies b.receiver = Expecting else b.receiver = a.receiver
}

fact {
  all a: Link | a in initialState iff idle[a]
  all a, b: Link | a -> b in nextState iff
    (packetArrives[a, b] or packetIsGarbled[a, b] or goodAnswer[a, b] or badAnswer[a, b])
}

-- No packet is sent again when the receiver expects the next one.
check NoneTwice { ctl_mc[ag[{a: Link | not (a.sender = SendAgain and a.receiver = Expecting)}]] } for 6 Link

-- A packet that is garbled comes through in the end.
check ComesThrough {
  ctl_mc[ag[imp_[{a: Link | a.receiver = GotGarbage}, af[{a: Link | a.receiver = GotPacket}]]]]
} for 6 Link

-- The first packet is sent.
check Sends { ctl_mc[af[{a: Link | a.sender = Waiting}]] } for 6 Link

-- Nothing need ever be garbled.
run Smooth { ctl_mc[eg[{a: Link | a.receiver != GotGarbage}]] } for 6 Link
