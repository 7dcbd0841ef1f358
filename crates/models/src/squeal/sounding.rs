//! The run as a sound.

use stickslip_report::html::{Content, Section, Sound};
use stickslip_run::text::number_to;
use stickslip_squeal::sound::sound;

use super::listening::Heard;

/// What one hears: a section of the report, the file, and a line for the terminal.
pub(super) struct Sounding {
    pub section: Section,
    pub file: Option<(&'static str, Vec<u8>)>,
    pub line: String,
}

/// The end of a run as a sound; silence is said.
pub(super) fn sounding(heard: &Heard) -> Sounding {
    let heading = "What one would hear".to_string();
    match sound(heard.close(), heard.rate) {
        Ok(sound) => {
            let words = format!(
                "The last {} s of the wheel's lateral velocity at the contact: {} dB re 5e-8 m/s, full scale of the file {} m/s. What reaches an ear \
                 depends on how the wheel radiates, which is not computed.",
                number_to(sound.duration, 3),
                number_to(sound.level, 4),
                number_to(sound.full_scale, 3)
            );
            let line = format!(
                "sound: squeal.wav, {} s, {} dB re 5e-8 m/s",
                number_to(sound.duration, 3),
                number_to(sound.level, 4)
            );
            let content = Content::Sound(Sound { wav: sound.bytes.clone(), words });
            let section = Section { heading, text: String::new(), content: vec![content] };
            Sounding { section, file: Some(("squeal.wav", sound.bytes)), line }
        }
        Err(why) => {
            let line = format!("no sound file: {why}");
            Sounding {
                section: Section { heading, text: format!("No sound: {why}."), content: vec![] },
                file: None,
                line,
            }
        }
    }
}
