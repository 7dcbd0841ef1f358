//! Colours of a page: the same drawing on white and on dark paper.

use crate::palette::{THEME, name_of};

/// The palette as CSS variables, which styles and scripts both read; reports follow what the reader's system asks for, and
/// are printed on white.
pub(super) fn variables() -> String {
    let list = |pick: fn(&(&str, &str, &str)) -> String| THEME.iter().map(pick).collect::<Vec<_>>().join(" ");
    let light = list(|(name, light, _)| format!("--{name}: {light};"));
    let dark = list(|(name, _, dark)| format!("--{name}: {dark};"));
    format!(
        ":root {{ color-scheme: light; {light} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ color-scheme: dark; \
         {dark} }} }}"
    )
}

/// A drawing whose colours follow the page: those that have a name are taken by it. Text cannot be mistaken for an
/// attribute, since quotation marks in it are escaped.
pub(super) fn themed(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some(begin) = rest.find("=\"#") {
        let after = &rest[begin + 2..];
        let Some(end) = after.find('"') else { break };
        let colour = &after[..end];
        out.push_str(&rest[..begin + 2]);
        match name_of(colour) {
            Some(name) => {
                out.push_str("var(--");
                out.push_str(name);
                out.push(')');
            }
            None => out.push_str(colour),
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colours_follow_the_page() {
        let svg = "<rect fill=\"#fff\" stroke=\"#1b1f24\"/><a b=\"#123456\">=&quot;#fff&quot;</a>";
        let wanted = "<rect fill=\"var(--paper)\" stroke=\"var(--ink)\"/><a b=\"#123456\">=&quot;#fff&quot;</a>";
        assert_eq!(themed(svg), wanted);
    }
}
