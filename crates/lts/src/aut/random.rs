//! Random systems, written and read again, and files that somebody changed.

use std::io::Write;

use wherefore_base::{Budget, Run};
use wherefore_model::lts::{ActionLabel, Lts, StateId, Transition};
use wherefore_testkit::{Rng, campaign};

use super::{AutDialect, AutError, Compression, ReadOptions, read_in_blocks, write};

const LABELS: [&str; 16] = [
    "i",
    "a",
    "",
    " ",
    "UDP !ACK",
    "G !{A, B} !READY (FALSE)",
    "x, 1)",
    "\", 1)",
    "\"",
    "\"\"",
    "a\"b",
    "des (0, 1, 2)",
    "é😀\u{202e}",
    "\r\t\0\u{1b}",
    "(0, a, 0)",
    "12/3",
];

/// Pieces that hurt.
const SPICE: [&[u8]; 24] = [
    b"(",
    b")",
    b",",
    b"\"",
    b"\n",
    b"\r\n",
    b"\n\n",
    b" ",
    b"\0",
    b"\xff",
    b"\xc3",
    b"0",
    b"-1",
    b"4294967295",
    b"18446744073709551616",
    b"des",
    b"des (0, 1, 1)\n",
    b"des (0, 4294967295, 4294967295)\n",
    b"(0, \"a\", 0)\n",
    b"(0, a, 0 1/2 1)\n",
    b"1/2",
    b":N:GR",
    b"\xef\xbb\xbf",
    b"\x1f\x8b",
];

fn random_lts(rng: &mut Rng) -> Lts {
    let mut labels: Vec<ActionLabel> = LABELS
        .iter()
        .filter(|_| rng.chance(1, 2))
        .map(|text| ActionLabel {
            text: text.to_string(),
            internal: *text == "i",
        })
        .collect();
    let states = 1 + rng.below(12);
    let count = if labels.is_empty() { 0 } else { rng.below(40) };
    let transitions: Vec<Transition> = (0..count)
        .map(|_| Transition {
            from: rng.below(states).into(),
            label: rng.below(labels.len()).into(),
            to: rng.below(states).into(),
        })
        .collect();
    // A file has no label without a transition.
    let mut used: Vec<usize> = transitions.iter().map(|t| t.label.index()).collect();
    used.sort_unstable();
    used.dedup();
    labels = used.iter().map(|&label| labels[label].clone()).collect();
    let renamed = |t: &Transition| Transition {
        label: used
            .partition_point(|&label| label < t.label.index())
            .into(),
        ..*t
    };
    let transitions: Vec<Transition> = transitions.iter().map(renamed).collect();
    Lts::new(
        labels,
        states,
        StateId::new(rng.below(states)),
        &transitions,
    )
}

fn read(file: &[u8], size: usize, threads: usize) -> Run<Result<Lts, AutError>> {
    let options = ReadOptions {
        internal: vec!["i".to_string()],
        threads,
    };
    read_in_blocks(file, size, &options, &Budget::unlimited())
}

fn packed(text: &[u8], compression: Compression) -> Vec<u8> {
    let mut out = compression.writer(Vec::new()).expect("it is memory");
    out.write_all(text).expect("it is memory");
    out.finish().expect("it is memory")
}

fn random_compression(rng: &mut Rng) -> Compression {
    *rng.pick(&[Compression::None, Compression::Gzip, Compression::Zstd])
}

/// The file of a system, as somebody else may write it.
fn by_another_hand(rng: &mut Rng, text: &str) -> String {
    let lines = text.split_inclusive(")\n");
    let mut lines: Vec<String> = lines.map(|line| line.trim_end().to_string()).collect();
    for at in (2..lines.len()).rev() {
        lines.swap(at, 1 + rng.below(at));
    }
    let mut other = String::new();
    for line in &lines {
        for _ in 0..rng.below(3) {
            other += *rng.pick(&["", "\n", " \t\r\n"]);
        }
        other += rng.pick::<&str>(&["", " "]);
        other += line;
        other += rng.pick::<&str>(&["\n", "\r\n", " \n"]);
    }
    if rng.chance(1, 2) {
        other.truncate(other.trim_end().len());
    }
    other
}

#[test]
fn what_is_written_is_read_again() {
    campaign("round trips of AUT files", 400, |rng| {
        let lts = random_lts(rng);
        let mut text = Vec::new();
        write(&lts, &mut text, AutDialect::Cadp).expect("no label has a line feed");
        let text = String::from_utf8(text).expect("labels are text");
        let by_another_hand = by_another_hand(rng, &text);
        for text in [text, by_another_hand] {
            for threads in [1, 2, 4] {
                let file = packed(text.as_bytes(), random_compression(rng));
                let found = read(&file, 1 + rng.below(200), threads).expect("no limit");
                assert_eq!(found.as_ref(), Ok(&lts), "{text}");
            }
        }
    });
}

#[test]
fn what_is_written_for_mcrl2_is_read_again() {
    campaign("round trips of AUT files for mCRL2", 200, |rng| {
        let lts = random_lts(rng);
        let quotes = lts.labels().iter().any(|label| label.text.contains('"'));
        let mut text = Vec::new();
        let written = write(&lts, &mut text, AutDialect::Mcrl2);
        assert_eq!(written.is_err(), quotes);
        if !quotes {
            let options = ReadOptions {
                internal: vec!["tau".to_string()],
                threads: 2,
            };
            let found = read_in_blocks(text.as_slice(), 50, &options, &Budget::unlimited());
            let found = found.expect("no limit").expect("it is right");
            let mut again = Vec::new();
            write(&found, &mut again, AutDialect::Mcrl2).expect("it was written before");
            let sorted = |text: &[u8]| {
                let text = String::from_utf8_lossy(text).into_owned();
                let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
                lines.sort();
                lines
            };
            assert_eq!(sorted(&again), sorted(&text));
        }
    });
}

#[test]
fn no_change_of_a_file_makes_the_reader_panic_and_threads_agree() {
    campaign("changed AUT files", 3000, |rng| {
        let mut text = Vec::new();
        let lts = random_lts(rng);
        write(&lts, &mut text, AutDialect::Cadp).expect("no label has a line feed");
        for _ in 0..=rng.below(4) {
            text = changed(rng, text);
        }
        let mut file = packed(&text, random_compression(rng));
        if rng.chance(1, 4) {
            file = changed(rng, file);
        }
        let size = 1 + rng.below(200);
        let one = read(&file, size, 1).expect("no limit");
        let more = read(&file, size, 3).expect("no limit");
        assert_eq!(one, more, "{}", String::from_utf8_lossy(&text));
        if let Err(error) = &one {
            check(error);
        }
    });
}

/// The place of an error is in the line that is shown.
fn check(error: &AutError) {
    let (sources, diagnostic) = error.diagnostic("x.aut");
    assert!(!diagnostic.message.is_empty());
    for label in &diagnostic.labels {
        let text = sources.file(label.span.file).text();
        let (start, end) = (label.span.start as usize, label.span.end as usize);
        assert!(text.get(start..end).is_some(), "{error:?}");
        assert!(!text.contains('\n'), "{error:?}");
    }
}

fn changed(rng: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    let at = rng.below(bytes.len() + 1);
    let end = (at + rng.below(30)).min(bytes.len());
    match rng.below(6) {
        0 => bytes.truncate(at),
        1 => {
            bytes.drain(at..end);
        }
        2 => {
            let again = bytes[at..end].to_vec();
            let to = rng.below(bytes.len() + 1);
            bytes.splice(to..to, again);
        }
        3 if at < bytes.len() => bytes[at] = rng.below(256) as u8,
        _ => {
            let spice = rng.pick::<&[u8]>(&SPICE).to_vec();
            bytes.splice(at..at, spice);
        }
    }
    bytes
}
