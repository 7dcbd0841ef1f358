//! Sounds that a page plays.

use crate::label;

/// A WAV file within the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sound {
    /// The file.
    pub wav: Vec<u8>,
    /// What one hears, in words.
    pub words: String,
}

impl Sound {
    pub(super) fn to_html(&self) -> String {
        let words = label::html(&self.words);
        let data = base64(&self.wav);
        format!(
            "<figure class=\"sound\"><audio controls preload=\"metadata\" src=\"data:audio/wav;base64,{data}\"></audio>\
             <figcaption>{words}</figcaption></figure>\n"
        )
    }
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let all = group.iter().fold(0_u32, |all, byte| (all << 8) | u32::from(*byte)) << (8 * (3 - group.len()));
        for k in 0..4 {
            let digit = DIGITS[(all >> (18 - 6 * k)) as usize & 63];
            text.push(if k <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_bytes() {
        let all = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(all, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }
}
