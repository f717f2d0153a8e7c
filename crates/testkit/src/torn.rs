//! Texts torn apart and put together again, by tokens and by letters.

use crate::Rng;

/// Characters that belong into few texts.
const ODD: [char; 10] = [
    '\0', '\u{1b}', '\r', '\u{feff}', 'é', '\u{202e}', '😀', '#', '"', '\\',
];

/// Signs of more than one character, the longest first.
const SIGNS: [&str; 8] = ["<->", "->", "!=", "<=", ">=", ":=", "..", "--"];

/// Words, numbers, spaces and signs, one after the other.
pub fn tokens(text: &str) -> Vec<String> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if first.is_whitespace() {
            rest.find(|c: char| !c.is_whitespace())
                .unwrap_or(rest.len())
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            sign.map_or(first.len_utf8(), |sign| sign.len())
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token.to_owned());
        rest = after;
    }
    tokens
}

/// One of the texts, torn apart and put together again; `spice` are tokens that hurt.
pub fn torn(rng: &mut Rng, texts: &[String], spice: &[&str]) -> String {
    let mut text = rng.pick(texts).clone();
    for _ in 0..=rng.below(4) {
        text = if rng.chance(1, 5) {
            change_letters(rng, &text)
        } else {
            change_tokens(rng, &text, texts, spice)
        };
    }
    text
}

/// The text with one token or a stretch of tokens removed, moved, replaced or inserted; what is inserted comes from the
/// text itself, from others or from `spice`.
pub fn change_tokens(rng: &mut Rng, text: &str, others: &[String], spice: &[&str]) -> String {
    let mut tokens = tokens(text);
    if tokens.is_empty() {
        tokens.push(String::from(" "));
    }
    let at = rng.below(tokens.len());
    let other = rng.below(tokens.len());
    match rng.below(7) {
        0 => {
            tokens.remove(at);
        }
        1 => tokens.insert(other, tokens[at].clone()),
        2 => tokens.swap(at, other),
        3 if !spice.is_empty() => tokens[at] = format!(" {} ", rng.pick(spice)),
        4 => {
            let end = (at + 1 + rng.below(12)).min(tokens.len());
            tokens.drain(at..end);
        }
        3 | 5 => tokens[at] = tokens[other].clone(),
        _ => {
            let from = self::tokens(rng.pick::<String>(others));
            let start = rng.below(from.len().max(1)).min(from.len());
            let end = (start + 1 + rng.below(30)).min(from.len());
            tokens.splice(at..at, from[start..end].iter().cloned());
        }
    }
    tokens.concat()
}

/// The text with a letter inserted or removed, cut off, or with a stretch of it doubled.
pub fn change_letters(rng: &mut Rng, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = rng.below(letters.len() + 1);
    match rng.below(5) {
        0 => letters.insert(at, *rng.pick(&ODD)),
        1 => letters.truncate(at),
        2 => letters.insert(at, char::from(rng.below(128) as u8)),
        3 if at < letters.len() => {
            letters.remove(at);
        }
        3 => {}
        _ => {
            let end = (at + rng.below(40)).min(letters.len());
            let again: Vec<char> = letters[at..end].to_vec();
            letters.splice(at..at, again);
        }
    }
    letters.into_iter().collect()
}

/// The text with one of its tokens repeated thousands of times: what nests or lists without an end.
pub fn swollen(rng: &mut Rng, text: &str) -> String {
    let mut tokens = tokens(text);
    if tokens.is_empty() {
        return String::new();
    }
    let at = rng.below(tokens.len());
    let end = (at + 1 + rng.below(3)).min(tokens.len());
    let again = tokens[at..end].concat().repeat(2_000 + rng.below(8_000));
    tokens.insert(at, again);
    tokens.concat()
}
