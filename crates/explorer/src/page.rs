//! The page: files that are part of the binary.

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) media: &'static str,
    pub(crate) text: &'static str,
}

/// What stands in the template of a report where the data go.
pub(crate) const PLACE: &str = "__WHEREFORE_DATA__";

/// The template of a report: one file, with everything in it but the data.
pub(crate) const REPORT: &str = include_str!("../page/report.html");

/// A file of the page by its name; the empty name is the page itself.
pub(crate) fn asset(name: &str) -> Option<Asset> {
    let (media, text) = match name {
        "" | "index.html" => (
            "text/html; charset=utf-8",
            include_str!("../page/index.html"),
        ),
        "app.js" => (
            "text/javascript; charset=utf-8",
            include_str!("../page/app.js"),
        ),
        "app.css" => ("text/css; charset=utf-8", include_str!("../page/app.css")),
        _ => return None,
    };
    Some(Asset { media, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_has_one_place_for_data() {
        assert_eq!(REPORT.matches(PLACE).count(), 1);
    }

    #[test]
    fn the_page_loads_nothing_but_its_own_files() {
        let page = asset("").expect("there is a page").text;
        assert!(!page.contains("http://") && !page.contains("https://"));
        assert!(asset("../Cargo.toml").is_none());
    }
}
