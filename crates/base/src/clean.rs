//! Text from models and files, made safe for a terminal.

/// The text with control characters made visible, so that a name cannot steer the terminal.
pub fn clean(text: &str) -> String {
    let harmful = |c: char| {
        c.is_control()
            || matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(harmful) {
        return text.to_string();
    }
    let mut clean = String::new();
    for c in text.chars() {
        if harmful(c) {
            clean.extend(c.escape_default());
        } else {
            clean.push(c);
        }
    }
    clean
}
