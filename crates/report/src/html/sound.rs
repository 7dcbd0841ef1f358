//! Sounds that a page plays.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

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
        let data = STANDARD.encode(&self.wav);
        format!(
            "<figure class=\"sound\"><audio controls preload=\"metadata\" src=\"data:audio/wav;base64,{data}\"></audio>\
             <figcaption>{words}</figcaption></figure>\n"
        )
    }
}
