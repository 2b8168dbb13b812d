//! The page of a comparison of two runs: one file without a script, around a fragment that comes escaped.

/// The style, which alone the page may use beside itself.
const STYLE: &str = include_str!("assets/style/difference.css");

/// The page; `fragment` is markup in which everything from data is escaped.
pub fn difference(fragment: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>What differs</title>\n\
<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{fragment}</main>\n</body>\n</html>\n"
    )
}
