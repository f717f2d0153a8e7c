//! Documents in XML, read by `roxmltree`. What is wrong with one is said in a sentence, with its place.

use roxmltree::{Document, Error, Node, ParsingOptions, TextPos};

/// Why a text is no document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MarkupError {
    /// The byte where it is wrong.
    pub(crate) offset: usize,
    /// A sentence without its full stop.
    pub(crate) message: String,
}

/// Reads the document at the beginning of a text, and returns how many bytes it has. Other text may follow it.
pub(crate) fn first_document(text: &str) -> Result<(Document<'_>, usize), MarkupError> {
    let options = || ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let mut end = text.len();
    let mut read = Document::parse_with_options(text, options());
    // What follows the outermost element is no part of it: output of a program, or another document.
    if let Err(Error::UnknownToken(place) | Error::UnexpectedDeclaration(place)) = read {
        end = offset(text, place);
        read = Document::parse_with_options(&text[..end], options());
    }
    let document = read.map_err(|error| wrong(&text[..end], &error))?;
    Ok((document, end))
}

/// The elements in an element that have a name.
pub(crate) fn all<'d, 't>(
    element: Node<'d, 't>,
    name: &'static str,
) -> impl Iterator<Item = Node<'d, 't>> {
    let inside = element.children();
    inside.filter(move |node| node.has_tag_name(name))
}

/// The byte at a place; columns count characters.
fn offset(text: &str, place: TextPos) -> usize {
    let lines = text.split_inclusive('\n').take(place.row as usize - 1);
    let start: usize = lines.map(str::len).sum();
    let mut characters = text[start..].char_indices();
    let column = characters.nth(place.col as usize - 1);
    column.map_or(text.len(), |(at, _)| start + at)
}

fn wrong(text: &str, error: &Error) -> MarkupError {
    let (offset, message) = match error {
        Error::NoRootNode | Error::UnclosedRootNode => (
            text.len(),
            "The document ends before its outermost element does",
        ),
        Error::UnexpectedEndOfStream => (text.rfind('<').unwrap_or(0), "This tag has no end"),
        Error::InvalidString("-->", _) => {
            (text.rfind("<!--").unwrap_or(0), "This comment has no end")
        }
        Error::UnexpectedCloseTag(open, _, place) => {
            let message = format!("<{}> is not closed before this", crate::clean(open));
            let offset = offset(text, *place);
            return MarkupError { offset, message };
        }
        error => (offset(text, error.pos()), sentence(error)),
    };
    let message = message.to_string();
    MarkupError { offset, message }
}

fn sentence(error: &Error) -> &'static str {
    match error {
        Error::InvalidChar2("a quote", ..) => "A value in quotes is expected here",
        Error::InvalidChar(_, b'<', _) => "A value has no `<`; write `&lt;`",
        Error::InvalidChar(b'=', ..) => "A value should follow here, after `=`",
        Error::InvalidChar(b'>', ..) => "The tag should end here",
        Error::InvalidName(_) => "A name is expected here",
        Error::DuplicatedAttribute(..) => "This attribute stands here twice",
        Error::UnknownEntityReference(..) | Error::MalformedEntityReference(_) => {
            "This stands for no character; a plain `&` is written as `&amp;`"
        }
        Error::UnknownNamespace(..) => "The prefix of this name is not declared",
        _ => "This is no part of an XML document",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_may_be_followed_by_other_text() {
        let text = "<?xml version='1.0'?>\n<!DOCTYPE a>\n<a x=\"1 &lt; &#x32;&#51;\" y = 'é\"'><!-- <b> -->\n\
                    text<b/><c><b z=\"\"></b ></c><![CDATA[<b/>]]></a> after";
        let (document, end) = first_document(text).expect("it is a document");
        assert_eq!(&text[end..], "after");
        let a = document.root_element();
        assert_eq!(a.tag_name().name(), "a");
        assert_eq!(a.attribute("x"), Some("1 < 23"));
        assert_eq!(a.attribute("y"), Some("é\""));
        assert_eq!(all(a, "b").count(), 1);
        let (_, end) = first_document("<a/>\n<?xml version='1.0'?><b/>").expect("a document");
        assert_eq!(end, 5);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let told = [
            ("", 0, "The document ends before its outermost element does"),
            (
                "<a><b>",
                6,
                "The document ends before its outermost element does",
            ),
            ("<a>\n<b></a>", 7, "<b> is not closed before this"),
            ("<a>é</b>", 5, "<a> is not closed before this"),
            ("<a x=1/>", 5, "A value in quotes is expected here"),
            ("<a><b x=\"1/>", 3, "This tag has no end"),
            ("<a x=\"<\"/>", 6, "A value has no `<`; write `&lt;`"),
            (
                "<a x='&bla;'/>",
                6,
                "This stands for no character; a plain `&` is written as `&amp;`",
            ),
            (
                "<a x='&lt'/>",
                6,
                "This stands for no character; a plain `&` is written as `&amp;`",
            ),
            ("<a x='1' x='1'/>", 9, "This attribute stands here twice"),
            ("<a x/>", 4, "A value should follow here, after `=`"),
            ("<a\n  / >", 6, "The tag should end here"),
            ("<>", 1, "A name is expected here"),
            ("</node>", 1, "A name is expected here"),
            ("<a><!-- ", 3, "This comment has no end"),
        ];
        for (text, offset, message) in told {
            let error = first_document(text).expect_err(text);
            assert_eq!((error.offset, &*error.message), (offset, message), "{text}");
        }
    }

    #[test]
    fn elements_may_stand_deep_in_each_other() {
        let text = format!("{}{}", "<a>".repeat(10_000), "</a>".repeat(10_000));
        assert!(first_document(&text).is_ok());
    }
}
