//! A document of elements: as much of XML as documents about instances need.
//!
//! Elements, attributes and references to characters are read; text between elements, comments, declarations and
//! instructions are passed over. There are no name spaces and no definitions of entities.

/// An element, with what stands in it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Element {
    /// Its name.
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    /// The elements in it, in order.
    pub(super) inside: Vec<Element>,
}

impl Element {
    /// Reads a document and returns its outermost element.
    ///
    /// # Errors
    /// A sentence about what is wrong, with its place.
    pub(super) fn read(text: &str) -> Result<Element, String> {
        let mut reader = Reader { text, at: 0 };
        reader.document().map_err(|(offset, wrong)| {
            let before = &text[..offset];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
            format!("Line {line}, column {column}: {wrong}")
        })
    }

    /// The value of an attribute.
    pub(super) fn attribute(&self, key: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str())
    }

    /// The elements in it that have a name.
    pub(super) fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        let inside = self.inside.iter();
        inside.filter(move |element| element.name == name)
    }
}

/// So deep elements may stand in each other; documents about instances need four levels.
const DEEPEST: usize = 100;

struct Reader<'t> {
    text: &'t str,
    /// Where it reads.
    at: usize,
}

type Wrong = (usize, &'static str);

impl Reader<'_> {
    fn document(&mut self) -> Result<Element, Wrong> {
        let mut open: Vec<Element> = Vec::new();
        loop {
            // Text between elements says nothing.
            self.pass(|c| c != '<');
            let start = self.at;
            if self.next().is_none() {
                return Err((
                    start,
                    "The document ends before its outermost element does.",
                ));
            }
            if self.takes("!--") {
                self.skip_to("-->", (start, "This comment does not end."))?;
                continue;
            }
            if self.takes("![CDATA[") {
                self.skip_to("]]>", (start, "This text does not end."))?;
                continue;
            }
            if self.takes("?") || self.takes("!") {
                self.skip_to(">", (start, "This declaration does not end."))?;
                continue;
            }
            let done = if self.takes("/") {
                let name = self.name()?;
                self.spaces();
                self.expect(">")?;
                match open.pop() {
                    Some(element) if element.name == name => element,
                    _ => return Err((start, "This ends an element that is not open here.")),
                }
            } else {
                let (element, ended) = self.start_tag()?;
                if !ended {
                    if open.len() == DEEPEST {
                        return Err((start, "Elements stand too deep in each other."));
                    }
                    open.push(element);
                    continue;
                }
                element
            };
            match open.last_mut() {
                Some(outer) => outer.inside.push(done),
                None => return Ok(done),
            }
        }
    }

    /// What stands between `<` and `>`, and whether the element ends there.
    fn start_tag(&mut self) -> Result<(Element, bool), Wrong> {
        let mut element = Element {
            name: self.name()?,
            ..Element::default()
        };
        loop {
            self.spaces();
            if self.takes("/") {
                self.expect(">")?;
                return Ok((element, true));
            }
            if self.takes(">") {
                return Ok((element, false));
            }
            let start = self.at;
            let key = self.name()?;
            self.spaces();
            self.expect("=")?;
            self.spaces();
            let value = self.value()?;
            if element.attribute(&key).is_some() {
                return Err((start, "This attribute stands here twice."));
            }
            element.attributes.push((key, value));
        }
    }

    fn name(&mut self) -> Result<String, Wrong> {
        let start = self.at;
        self.pass(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'));
        let name = &self.text[start..self.at];
        match name.is_empty() {
            true => Err((start, "A name is expected here.")),
            false => Ok(name.to_string()),
        }
    }

    /// A text in quotes.
    fn value(&mut self) -> Result<String, Wrong> {
        let start = self.at;
        let quote = self.next().filter(|c| matches!(c, '"' | '\''));
        let Some(quote) = quote else {
            return Err((start, "A value in quotes is expected here."));
        };
        let mut value = String::new();
        loop {
            let at = self.at;
            match self.next() {
                None => return Err((start, "This value does not end.")),
                Some(c) if c == quote => return Ok(value),
                Some('<') => return Err((at, "A value has no `<`; write `&lt;`.")),
                Some('&') => value.push(self.reference(at)?),
                Some(c) => value.push(c),
            }
        }
    }

    /// The character that stands between `&` and `;`.
    fn reference(&mut self, start: usize) -> Result<char, Wrong> {
        let name_start = self.at;
        self.pass(|c| c.is_ascii_alphanumeric() || c == '#');
        let name = &self.text[name_start..self.at];
        let code = match name.strip_prefix('#') {
            Some(number) => match number.strip_prefix('x') {
                Some(number) => u32::from_str_radix(number, 16).ok(),
                None => number.parse().ok(),
            },
            None => match name {
                "lt" => Some(u32::from('<')),
                "gt" => Some(u32::from('>')),
                "amp" => Some(u32::from('&')),
                "quot" => Some(u32::from('"')),
                "apos" => Some(u32::from('\'')),
                _ => None,
            },
        };
        let c = code.and_then(char::from_u32);
        let c = c.ok_or((start, "This stands for no character."))?;
        self.expect(";")?;
        Ok(c)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.text[self.at..].chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Passes characters of a kind.
    fn pass(&mut self, of: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.find(|c| !of(c)).unwrap_or(rest.len());
    }

    fn spaces(&mut self) {
        self.pass(char::is_whitespace);
    }

    /// Whether a text comes next, which is then passed.
    fn takes(&mut self, wanted: &str) -> bool {
        let comes = self.text[self.at..].starts_with(wanted);
        if comes {
            self.at += wanted.len();
        }
        comes
    }

    fn skip_to(&mut self, end: &str, wrong: Wrong) -> Result<(), Wrong> {
        let found = self.text[self.at..].find(end).ok_or(wrong)?;
        self.at += found + end.len();
        Ok(())
    }

    fn expect(&mut self, wanted: &str) -> Result<(), Wrong> {
        let missing = match wanted {
            ">" => "The tag should end here.",
            "=" => "A value should follow here, after `=`.",
            _ => "This stands for no character: `;` is missing.",
        };
        match self.takes(wanted) {
            true => Ok(()),
            false => Err((self.at, missing)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_attributes_and_other_elements() {
        let text = "<?xml version='1.0'?>\n<!DOCTYPE a>\n<a x=\"1 &lt; &#x32;&#51;\" y = 'é\"'><!-- <b> -->\n\
                    text<b/><c><b z=\"\"></b ></c><![CDATA[<b/>]]></a> after";
        let a = Element::read(text).expect("it is a document");
        assert_eq!((a.name.as_str(), a.inside.len()), ("a", 2));
        assert_eq!(a.attribute("x"), Some("1 < 23"));
        assert_eq!(a.attribute("y"), Some("é\""));
        assert_eq!(a.attribute("z"), None);
        assert_eq!(a.all("b").count(), 1);
        let c = a.all("c").next().expect("there is one");
        assert_eq!(c.inside[0].attribute("z"), Some(""));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let wrong = |text: &str| Element::read(text).expect_err("it is wrong");
        let deep = "<a>".repeat(1000);
        assert!(wrong(&deep).contains("too deep"));
        let told = [
            (
                "",
                "Line 1, column 1: The document ends before its outermost element does.",
            ),
            (
                "<a>\n<b></a>",
                "Line 2, column 4: This ends an element that is not open here.",
            ),
            (
                "<a x=1/>",
                "Line 1, column 6: A value in quotes is expected here.",
            ),
            ("<a x=\"1/>", "Line 1, column 6: This value does not end."),
            (
                "<a x=\"<\"/>",
                "Line 1, column 7: A value has no `<`; write `&lt;`.",
            ),
            (
                "<a x='&bla;'/>",
                "Line 1, column 7: This stands for no character.",
            ),
            (
                "<a x='&lt'/>",
                "Line 1, column 10: This stands for no character: `;` is missing.",
            ),
            (
                "<a x='1' x='1'/>",
                "Line 1, column 10: This attribute stands here twice.",
            ),
            (
                "<a x/>",
                "Line 1, column 5: A value should follow here, after `=`.",
            ),
            ("<a\n  / >", "Line 2, column 4: The tag should end here."),
            ("<>", "Line 1, column 2: A name is expected here."),
            ("<a><!-- ", "Line 1, column 4: This comment does not end."),
        ];
        for (text, message) in told {
            assert_eq!(wrong(text), message);
        }
    }
}
