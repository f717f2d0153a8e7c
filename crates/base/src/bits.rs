//! Some bits of a number, the others left open.

use std::fmt;

/// Some bits of a number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bits {
    /// Which bits are given.
    given: u64,
    /// What they are; the others are 0 here.
    are: u64,
}

/// As in `*1*0`, the lowest bit last: a star stands for one that is not given, the first one for all that are higher.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for (place, bit) in self.iter() {
            // There is one letter for each lower place, so the length is the next place.
            let open = place - text.len();
            text.extend(std::iter::repeat_n('*', open));
            text.push(if bit { '1' } else { '0' });
        }
        if text.len() < 64 {
            text.push('*');
        }
        f.write_str(&text.chars().rev().collect::<String>())
    }
}

impl Bits {
    /// Gives one more bit.
    ///
    /// # Panics
    /// When the place is not below 64.
    pub fn give(&mut self, place: usize, bit: bool) {
        self.given |= 1 << place;
        self.are = self.are & !(1 << place) | u64::from(bit) << place;
    }

    /// Whether a number has these bits.
    pub fn are_of(self, number: u64) -> bool {
        number & self.given == self.are
    }

    /// The bits that are given, the lowest one first, each with its place.
    pub fn iter(self) -> impl Iterator<Item = (usize, bool)> {
        let bit = move |place: usize, all: u64| all >> place & 1 == 1;
        let places = (0..64).filter(move |&place| bit(place, self.given));
        places.map(move |place| (place, bit(place, self.are)))
    }

    /// The bits that are given, as runs without a gap, the highest one first: the places where each begins and ends,
    /// and its bits.
    pub fn runs(self) -> Vec<(usize, usize, String)> {
        let mut runs: Vec<(usize, usize, String)> = Vec::new();
        for (place, bit) in self.iter() {
            let sign = if bit { '1' } else { '0' };
            match runs.last_mut() {
                Some((high, _, text)) if *high + 1 == place => {
                    *high = place;
                    text.insert(0, sign);
                }
                _ => runs.push((place, place, sign.into())),
            }
        }
        runs.reverse();
        runs
    }

    /// What [`Display`](fmt::Display) writes; `None` when it is no such text.
    pub fn read(text: &str) -> Option<Self> {
        let mut bits = Self::default();
        for (place, sign) in text.bytes().rev().enumerate() {
            match sign {
                b'0' | b'1' if place < 64 => bits.give(place, sign == b'1'),
                b'*' if place < 64 => {}
                _ => return None,
            }
        }
        Some(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_as_they_are_written_and_have_the_numbers_they_say() {
        let mut bits = Bits::default();
        bits.give(0, true);
        bits.give(2, true);
        bits.give(2, false);
        assert_eq!(bits.to_string(), "*0*1");
        let run = |place: usize, bit: &str| (place, place, bit.to_owned());
        assert_eq!(bits.runs(), [run(2, "0"), run(0, "1")]);
        let whole = Bits::read("*101").expect("it is written so");
        assert_eq!(whole.runs(), [(2, 0, "101".to_owned())]);
        assert_eq!(Bits::read("*0*1"), Some(bits));
        assert_eq!(bits.iter().collect::<Vec<_>>(), [(0, true), (2, false)]);
        let numbers: Vec<u64> = (0..16).filter(|&number| bits.are_of(number)).collect();
        assert_eq!(numbers, [1, 3, 9, 11]);
        let mut highest = Bits::default();
        highest.give(63, true);
        assert_eq!(Bits::read(&highest.to_string()), Some(highest));
    }

    #[test]
    fn what_is_no_list_of_bits_is_not_read() {
        for text in ["2", "0b1", "ä", &"*".repeat(65), " 1"] {
            assert_eq!(Bits::read(text), None, "{text}");
        }
    }
}
