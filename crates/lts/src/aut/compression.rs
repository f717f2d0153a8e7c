//! Files compressed by gzip (`.gz`) or Zstandard (`.zst`).

use std::io::{self, Read, Write};

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

/// How a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compression {
    /// Not at all.
    None,
    /// As by `gzip`.
    Gzip,
    /// As by `zstd`.
    Zstd,
}

impl Compression {
    /// What the end of a file's name says.
    pub fn of_name(name: &str) -> Self {
        match name.rsplit_once('.').map(|(_, end)| end) {
            Some("gz") => Compression::Gzip,
            Some("zst") => Compression::Zstd,
            _ => Compression::None,
        }
    }

    /// A writer that compresses into another one. It must be [finished](Compressor::finish).
    pub fn writer<W: Write>(self, out: W) -> io::Result<Compressor<W>> {
        let coder = match self {
            Compression::None => Coder::None(out),
            Compression::Gzip => Coder::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Compression::Zstd => {
                let level = zstd::DEFAULT_COMPRESSION_LEVEL;
                Coder::Zstd(zstd::Encoder::new(out, level)?)
            }
        };
        Ok(Compressor { coder })
    }
}

/// Compresses what is written to it.
pub struct Compressor<W: Write> {
    coder: Coder<W>,
}

enum Coder<W: Write> {
    None(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Compressor<W> {
    /// Writes the end of the compressed data, and gives the other writer back.
    pub fn finish(self) -> io::Result<W> {
        let mut out = match self.coder {
            Coder::None(out) => out,
            Coder::Gzip(coder) => coder.finish()?,
            Coder::Zstd(coder) => coder.finish()?,
        };
        out.flush()?;
        Ok(out)
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.coder {
            Coder::None(out) => out.write(bytes),
            Coder::Gzip(coder) => coder.write(bytes),
            Coder::Zstd(coder) => coder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.coder {
            Coder::None(out) => out.flush(),
            Coder::Gzip(coder) => coder.flush(),
            Coder::Zstd(coder) => coder.flush(),
        }
    }
}

/// The text of an input, whose first bytes say how it is compressed.
pub(super) fn unpacked<'i>(
    mut input: impl Read + Send + 'i,
) -> io::Result<(Compression, Box<dyn Read + Send + 'i>)> {
    let mut first = Vec::new();
    // A single read may give fewer bytes than there are, so as many as are needed are asked for.
    input.by_ref().take(4).read_to_end(&mut first)?;
    let compression = match first.as_slice() {
        [0x1F, 0x8B, ..] => Compression::Gzip,
        [0x28, 0xB5, 0x2F, 0xFD] => Compression::Zstd,
        _ => Compression::None,
    };
    let packed = io::Cursor::new(first).chain(input);
    let text: Box<dyn Read + Send + 'i> = match compression {
        Compression::None => Box::new(packed),
        // A file made by appending has several gzip members.
        Compression::Gzip => Box::new(MultiGzDecoder::new(packed)),
        Compression::Zstd => Box::new(zstd::Decoder::new(packed)?),
    };
    Ok((compression, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compressed_is_found_again() {
        let text = b"des (0, 0, 1)\n".repeat(10_000);
        for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
            let mut writer = compression.writer(Vec::new()).expect("memory is writable");
            writer.write_all(&text).expect("memory is writable");
            let packed = writer.finish().expect("memory is writable");
            let twice = [packed.as_slice(), packed.as_slice()].concat();
            for (packed, times) in [(packed, 1), (twice, 2)] {
                let (found, mut unpacked) = unpacked(packed.as_slice()).expect("it is whole");
                let mut read = Vec::new();
                unpacked.read_to_end(&mut read).expect("it is whole");
                assert_eq!(found, compression);
                assert!(read == text.repeat(times), "{compression:?}");
            }
        }
    }

    #[test]
    fn names_say_how_to_compress() {
        assert_eq!(Compression::of_name("a.aut.gz"), Compression::Gzip);
        assert_eq!(Compression::of_name("a.aut.zst"), Compression::Zstd);
        assert_eq!(Compression::of_name("gz"), Compression::None);
    }
}
