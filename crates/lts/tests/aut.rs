//! What we tell about AUT files that are wrong.

use std::io::{self, Read, Write};

use wherefore_base::Budget;
use wherefore_diagnostics::render_diagnostic;
use wherefore_lts::aut::{AutError, Compression, ReadOptions, read};

fn error(input: impl Read + Send) -> AutError {
    let read = read(input, &ReadOptions::default(), &Budget::unlimited());
    read.expect("no limit").expect_err("it is wrong")
}

fn shown(name: &str, input: impl Read + Send) -> String {
    let (sources, diagnostic) = error(input).diagnostic(name);
    render_diagnostic(&sources, &diagnostic, false)
}

#[test]
fn every_wrong_header_has_its_message() {
    let texts: [&[u8]; 26] = [
        b"",
        b"\n \r\n\n",
        b"(0, a, 1)\n",
        b"digraph { a -> b }\n",
        b"DES (0, 0, 1)\n",
        b"des\n",
        b"des 0, 0, 1\n",
        b"des (a, 0, 1)\n",
        b"des (0 1/2 1, 0, 1)\n",
        b"des (0; 0, 1)\n",
        b"des (0, , 1)\n",
        b"des (0, -1, 1)\n",
        b"des (0, 1)\n",
        b"des (0, 0, 1\n",
        b"des (0, 0, 1) (0, a, 0)\n",
        b"des (0, 0, 0)\n",
        b"des (3, 0, 3)\n",
        b"des (99999999999999999999, 0, 3)\n",
        b"des (0, 4294967296, 3)\n",
        b"des (0, 7, 1000000000000000000)\n",
        b"des (0, 0, 99999999999999999999)\n",
        b"des (0, 7, 4000000000)\n",
        b"\n\nbcg\x01\x00\x02\n",
        b"\xff\xfed\0e\0s\0",
        b"des (0, 0, 1) caf\xe9\n",
        b"\x7fELF\x02\x01\x01",
    ];
    insta::assert_snapshot!(told(&texts));
}

#[test]
fn every_wrong_line_has_its_message() {
    let texts: [&[u8]; 30] = [
        b"des (0, 1, 2)\n",
        b"des (0, 2, 2)\n(0, a, 1)\n",
        b"des (0, 1, 2)\n(0, a, 1)\n(0, b, 1)\n\n(0, c, 1)\n",
        b"des (0, 0, 2)\n(0, a, 1)\n",
        b"des (0, 1, 2)\n\n\n(0, a, 2)\n",
        b"des (0, 1, 1)\n(1, a, 0)\n",
        b"des (0, 1, 2)\n(0, a, 99999999999999999999)\n",
        b"des (0, 1, 2)\n(0, a, -1)\n",
        b"des (0, 1, 2)\n(0:N:GR, \"a\":RED, 1)\n",
        b"des (0, 1, 2)\n0 a 1\n",
        b"des (0, 1, 2)\n(a, 0, 1)\n",
        b"des (0, 1, 2)\n(0 a, 1)\n",
        b"des (0, 1, 2)\n(0)\n",
        b"des (0, 1, 2)\n(0,\n",
        b"des (0, 1, 2)\n(0, a 1)\n",
        b"des (0, 1, 2)\n(0, , 1)\n",
        b"des (0, 1, 2)\n(0, \"a, 1)\n",
        b"des (0, 1, 2)\n(0, \"a\" b, 1)\n",
        b"des (0, 1, 2)\n(0, \"a\":RED, 1)\n",
        b"des (0, 1, 2)\n(0, \"a\")\n",
        b"des (0, 1, 2)\n(0, a, b)\n",
        b"des (0, 1, 2)\n(0, \"a\", 0 2/3 1)\n",
        b"des (0, 1, 2)\n(0, a, 1\n",
        b"des (0, 1, 2)\n(0, a, 1); // why\n",
        b"des (0, 2, 2)\n(0, a, 1) (1, a, 0)\n",
        b"des (0, 1, 2)\n(0, \"caf\xe9 noir\", 1)\n",
        b"des (0, 2, 2)\n(0, a, 1)\n(0, \"LO",
        b"des (0, 2, 2)\n(0, a, 1)\n(0, ",
        b"des (0, 1, 2)\n(0, a, 1)\ndes (0, 1, 2)\n",
        b"des (0, 1, 2)\n\x00\x01\x02\x1b[31m\n",
    ];
    insta::assert_snapshot!(told(&texts));
}

fn told(texts: &[&[u8]]) -> String {
    let told = texts.iter().map(|text| shown("x.aut", *text));
    told.collect::<Vec<_>>().join("\n\n")
}

fn packed(compression: Compression) -> Vec<u8> {
    let lines = "(0, \"UDP !ACK\", 0)\n(0, LOSS, 0)\n".repeat(500);
    let mut writer = compression.writer(Vec::new()).expect("it is memory");
    write!(writer, "des (0, 1000, 1)\n{lines}").expect("it is memory");
    writer.finish().expect("it is memory")
}

#[test]
fn inputs_that_cannot_be_read_have_their_messages() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    let mut told = vec![
        shown("x.aut", Broken),
        shown("x.aut", b"des (0, 3, 1)\n".chain(Broken)),
    ];
    for (compression, name) in [(Compression::Gzip, "x.gz"), (Compression::Zstd, "x.zst")] {
        let whole = packed(compression);
        let half = &whole[..whole.len() / 2];
        let mut damaged = whole.clone();
        damaged[20..].fill(0xAA);
        let last = whole.len() - 1;
        told.extend([half, &damaged, &whole[..last]].map(|file| shown(name, file)));
    }
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn compressed_files_that_are_cut_off_anywhere_are_refused() {
    for compression in [Compression::Gzip, Compression::Zstd] {
        let whole = packed(compression);
        for end in 0..whole.len() {
            error(&whole[..end]);
        }
    }
}

#[test]
fn a_very_long_line_is_shown_in_part() {
    let long = "x".repeat(900_000);
    let text = format!("des (0, 1, 1)\n(0, \"{long}\", {long})\n");
    assert!(shown("x.aut", text.as_bytes()).len() < 3000);
    let text = format!("des (0, 1, 1)\n(0, \"{long}{long}\", 0)\n");
    insta::assert_snapshot!(error(text.as_bytes()), @"line 2, column 1: The line is longer than a megabyte");
    let (sources, diagnostic) = error(text.as_bytes()).diagnostic("x.aut");
    let text = render_diagnostic(&sources, &diagnostic, false);
    assert!(text.contains("x.aut:2:1") && text.len() < 3000, "{text}");
}
