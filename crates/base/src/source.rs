//! Places in source text.

crate::define_id!(
    /// A file in a [`SourceMap`].
    pub struct FileId
);

/// A stretch of bytes in one file, `start..end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self {
            file,
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// The smallest stretch that covers both (of the same file; otherwise `self`).
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A line and a column, both counted from one; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// One source text with the name the user knows it by.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    /// How many lines of the file come before the text.
    lines_before: usize,
    line_starts: Vec<usize>,
    /// How many characters start before each multiple of [`STRIDE`], so that columns of very long lines
    /// are found quickly.
    characters: Vec<usize>,
}

const STRIDE: usize = 1 << 12;

impl SourceFile {
    /// A file from its name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let mut characters = vec![0];
        for stretch in text.as_bytes().chunks(STRIDE) {
            let before = characters[characters.len() - 1];
            characters.push(before + starts_of_characters(stretch));
        }
        Self {
            name: name.into(),
            text,
            lines_before: 0,
            line_starts,
            characters,
        }
    }

    /// Some lines of a file that is too large to be kept: its name, their text, and the number of the
    /// first one, from 1.
    pub fn part(name: impl Into<String>, text: impl Into<String>, line: usize) -> Self {
        Self {
            lines_before: line.saturating_sub(1),
            ..Self::new(name, text)
        }
    }

    /// The name the user knows the file by, usually its path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text, or the part of it that is kept.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte offset.
    pub fn place(&self, offset: usize) -> Place {
        let offset = offset.min(self.text.len());
        // The first line begins at 0, so there is always a line before this point.
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        Place {
            line: self.lines_before + line,
            column: self.characters_before(offset) - self.characters_before(start) + 1,
        }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let stride = offset / STRIDE;
        let rest = &self.text.as_bytes()[stride * STRIDE..offset];
        self.characters[stride] + starts_of_characters(rest)
    }
}

/// How many characters of UTF-8 text start in a stretch of it.
fn starts_of_characters(bytes: &[u8]) -> usize {
    // Bytes of the form `10xxxxxx` continue a character.
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

/// All source texts of a run.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId::new(self.files.len() - 1)
    }

    /// The files, in the order in which they were added.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The file with this id.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The text a span covers.
    pub fn text(&self, span: Span) -> &str {
        let text = self.file(span.file).text();
        let (start, end) = (span.start as usize, span.end as usize);
        text.get(start..end.max(start)).unwrap_or("")
    }

    /// The text a span covers, on one line: comments left out, white space folded.
    ///
    /// `comment` is what starts a comment to the end of the line in the language of the text.
    pub fn text_on_one_line(&self, span: Span, comment: &str) -> String {
        let lines = self.text(span).lines();
        let words = lines.flat_map(|line| {
            let code = line.split(comment).next().unwrap_or("");
            code.split_whitespace()
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The line and column where a span starts.
    pub fn place(&self, span: Span) -> Place {
        self.file(span.file).place(span.start as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let file = SourceFile::new("x", "ab\ncé!\n");
        assert_eq!(file.place(0), Place { line: 1, column: 1 });
        assert_eq!(file.place(3), Place { line: 2, column: 1 });
        assert_eq!(file.place(6), Place { line: 2, column: 3 });
        assert_eq!(file.place(99), Place { line: 3, column: 1 });
    }

    #[test]
    fn a_part_of_a_file_knows_its_lines() {
        let file = SourceFile::part("x", "ab\ncd\n", 1_000_000_007);
        let at = |offset| (file.place(offset).line, file.place(offset).column);
        assert_eq!(at(1), (1_000_000_007, 2));
        assert_eq!(at(3), (1_000_000_008, 1));
    }

    #[test]
    fn columns_of_long_lines_are_right() {
        let text = format!("x\n{}", "é".repeat(3 * STRIDE));
        let file = SourceFile::new("x", text);
        for characters in [0, 1, STRIDE / 2, STRIDE, 2 * STRIDE + 7] {
            let place = file.place(2 + 2 * characters);
            assert_eq!((place.line, place.column), (2, characters + 1));
        }
    }

    #[test]
    fn text_on_one_line_drops_comments_and_folds_space() {
        let mut map = SourceMap::default();
        let text = "AG (a -- why\n   -> b)";
        let file = map.add(SourceFile::new("x", text));
        let span = Span::new(file, 0, text.len());
        assert_eq!(map.text_on_one_line(span, "--"), "AG (a -> b)");
    }
}
