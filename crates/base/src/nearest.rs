//! What a wrong name was meant to be.

use std::cmp::Reverse;

/// Names longer than this are not compared letter by letter.
const LONGEST: usize = 64;

/// The candidate that takes the fewest changes of letters, if they are at most `most` and leave something
/// of it; of several the one that begins like the name for longest, and of these the least.
pub fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    // The difference in length is a lower bound of the distance, and cheap.
    let close = candidates
        .into_iter()
        .filter(|other| other.len().abs_diff(name.len()) <= most)
        .map(|other| (distance(name.as_bytes(), other.as_bytes()), other))
        .filter(|(distance, other)| *distance <= most && *distance < other.len());
    close
        .min_by_key(|&(distance, other)| (distance, Reverse(shared(name, other)), other))
        .map(|(_, other)| other)
}

/// How many letters two names have in common at their beginning.
fn shared(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count()
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one to the other.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let same = usize::from(!a[i - 1].eq_ignore_ascii_case(&b[j - 1]));
                let step = (rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(rows[i - 1][j - 1] + same);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped {
                    step.min(rows[i - 2][j - 2] + 1)
                } else {
                    step
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found_and_far_ones_are_not() {
        let names = ["closed", "open", "opening"];
        assert_eq!(nearest("closde", names, 2), Some("closed"));
        assert_eq!(nearest("opne", names, 1), Some("open"));
        assert_eq!(nearest("floor", names, 1), None);
        assert_eq!(nearest("x", ["y"], 2), None);
        assert_eq!(nearest("waze", ["take", "ways"], 2), Some("ways"));
    }
}
