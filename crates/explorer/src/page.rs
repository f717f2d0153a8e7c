//! The page: files that are part of the binary.
//!
//! They are built from `web/` and committed, so that building the binary needs nothing but Rust. `dist`
//! is a link to `web/dist`, which the package of the crate follows.

use wherefore_driver::view::api::report::Responses;

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) media: &'static str,
    pub(crate) text: &'static str,
}

const PAGE: &str = include_str!("../dist/index.html");
const SCRIPT: &str = include_str!("../dist/app.js");
const STYLE: &str = include_str!("../dist/app.css");

/// Where the page names its style, its data and its script.
const PLACES: [&str; 3] = [
    "<link rel=\"stylesheet\" href=\"app.css\">",
    "<script type=\"application/json\" id=\"wherefore-data\">null</script>",
    "<script defer src=\"app.js\"></script>",
];

/// What a page from disk may do: nothing but what is in it.
const RULES: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
    script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">";

/// A file of the page by its name; the empty name is the page itself.
pub(crate) fn asset(name: &str) -> Option<Asset> {
    let (media, text) = match name {
        "" | "index.html" => ("text/html; charset=utf-8", PAGE),
        "app.js" => ("text/javascript; charset=utf-8", SCRIPT),
        "app.css" => ("text/css; charset=utf-8", STYLE),
        _ => return None,
    };
    Some(Asset { media, text })
}

/// The page in one file, with data inside.
pub(crate) fn report(responses: &Responses) -> String {
    let [style, data, script] = PLACES;
    // Neither a script nor a style may end its element; in a script these mean the same.
    let code = SCRIPT
        .replace("</script", "<\\/script")
        .replace("<!--", "<\\!--");
    let parts = [
        (style, format!("{RULES}\n<style>\n{STYLE}\n</style>")),
        (script, format!("<script>\n{code}\n</script>")),
        // The data come last, so that nothing in them is taken for a place.
        (data, data.replacen("null", &responses.render(), 1)),
    ];
    let mut page = PAGE.to_string();
    for (place, part) in parts {
        page = page.replacen(place, &part, 1);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_each_of_its_places_once() {
        for place in PLACES {
            assert_eq!(PAGE.matches(place).count(), 1, "{place}");
        }
        assert!(!STYLE.contains("</style"));
    }

    #[test]
    fn the_page_loads_nothing_but_its_own_files() {
        assert!(!PAGE.contains("http://") && !PAGE.contains("https://"));
        assert!(asset("../Cargo.toml").is_none());
    }

    #[test]
    fn a_report_needs_no_other_file() {
        let page = report(&Responses::default());
        assert!(!page.contains("href=\"app.css\"") && !page.contains("src=\"app.js\""));
        assert!(page.contains("\"responses\":{}"));
    }
}
