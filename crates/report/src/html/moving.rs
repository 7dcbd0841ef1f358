//! Moving pictures in a page: the first frame, what moves in it, and key frames for pages without scripts.

use std::fmt::Write;

use serde::Serialize;

use super::embed::data_element;
use super::store::Store;
use super::theme::themed;
use crate::figure::px;
use crate::label;
use crate::motion::{Affine, Motion, Reading, WIDTH, draw};
use crate::palette;

/// Events that a picture can step to at the most.
const MOST_EVENTS: usize = 1200;

#[derive(Serialize)]
struct MotionData<'a, M: Serialize> {
    /// Place of the times among the page's lists.
    t: usize,
    /// Place of each channel, and whether it is a state.
    channels: Vec<(usize, bool)>,
    moves: &'a [M],
    /// Word and colour of each state.
    states: Vec<(&'a str, String)>,
    /// Expression and decimals, or the channel of a state.
    readings: Vec<ReadingData<'a>>,
    events: &'a [(f64, String)],
}

#[derive(Serialize)]
#[serde(untagged)]
enum ReadingData<'a> {
    Number { value: &'a Affine, decimals: usize },
    State { state: usize },
}

/// The picture as a page element; the page's script moves it.
pub(super) fn to_html(motion: &Motion, store: &mut Store) -> String {
    let start = motion.t.first().copied().unwrap_or(0.0);
    let channels = motion.at(start);
    let drawn = draw(motion, &channels);
    let named = |tone: crate::motion::Tone| match palette::name_of(tone.colour()) {
        Some(name) => format!("var(--{name})"),
        None => tone.colour().to_owned(),
    };
    let readings = motion.readings.iter().map(|reading| match reading {
        Reading::Number { value, decimals, .. } => ReadingData::Number { value, decimals: *decimals },
        Reading::State { channel, .. } => ReadingData::State { state: channel.number() },
    });
    let data = MotionData {
        t: store.add_times(&motion.t),
        channels: motion.channels.iter().map(|channel| (store.add(&channel.values), channel.state)).collect(),
        moves: &drawn.moves,
        states: motion.states.iter().map(|state| (state.word.as_str(), named(state.tone))).collect(),
        readings: readings.collect(),
        events: &motion.events[..motion.events.len().min(MOST_EVENTS)],
    };
    let mut html = format!(
        "<figure class=\"motion\"><figcaption>{}</figcaption>\n{}",
        label::html(&motion.name),
        svg(&drawn.body, drawn.height, &format!("{}. {}", motion.name, motion.text))
    );
    html.push_str(&below(motion, &channels));
    html.push_str(&data_element(&data));
    let _ = writeln!(html, "<noscript><p>Start, events between, and end:</p>{}</noscript></figure>", frames(motion));
    html
}

fn svg(body: &str, height: f64, text: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}</svg>\n",
        px(WIDTH),
        px(height),
        label::escape(text),
        themed(body)
    )
}

/// Readings and what the colours mean.
fn below(motion: &Motion, channels: &[f64]) -> String {
    let mut html = String::from("<dl class=\"readings\">");
    for reading in &motion.readings {
        let (name, value) = match reading {
            Reading::Number { name, unit, value, decimals } => {
                let number = label::fixed(value.at(channels), *decimals);
                let unit = if unit.is_empty() { String::new() } else { format!(" {}", label::html(unit)) };
                (name, format!("<span class=\"reading\">{number}</span>{unit}"))
            }
            Reading::State { name, channel } => {
                let number = channels.get(channel.number()).copied().unwrap_or(0.0);
                let word = motion.appearance(number).map_or("", |state| &state.word);
                (name, format!("<span class=\"reading badge\">{}</span>", label::escape(word)))
            }
        };
        let _ = write!(html, "<div><dt>{}</dt><dd>{value}</dd></div>", label::html(name));
    }
    html.push_str("</dl>\n");
    if !motion.states.is_empty() || !motion.key.is_empty() {
        html.push_str("<p class=\"key\">");
        for (tone, words) in &motion.key {
            let colour = palette::name_of(tone.colour()).unwrap_or("ink");
            let _ = write!(html, "<span><b style=\"background: var(--{colour})\"></b>{}</span>", label::html(words));
        }
        for state in &motion.states {
            let colour = palette::name_of(state.tone.colour()).unwrap_or("body");
            let word = label::escape(&state.word);
            let _ = write!(html, "<span><i style=\"background: var(--{colour})\"></i>{word}</span>");
        }
        html.push_str("</p>\n");
    }
    html
}

/// The key frames after the first.
fn frames(motion: &Motion) -> String {
    let frame = |t: &f64| {
        let drawn = draw(motion, &motion.at(*t));
        let text = format!("t = {} s", label::fixed(*t, 3));
        format!("<p>{text}</p>{}", svg(&drawn.body, drawn.height, &format!("{}, {text}", motion.name)))
    };
    motion.key_times().iter().skip(1).map(frame).collect()
}
