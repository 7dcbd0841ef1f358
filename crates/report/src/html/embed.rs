//! Data inside a page: JSON that no text can break out of.

use serde::{Serialize, Serializer};

/// A script element with data; `<` is written as `\u003c`, so `</script>` and `<!--` cannot occur.
pub fn data_element<T: Serialize>(data: &T) -> String {
    format!("<script type=\"application/json\">{}</script>", json(data))
}

/// The same with an identifier, by which scripts find it.
pub(super) fn data_element_named<T: Serialize>(id: &str, data: &T) -> String {
    format!("<script type=\"application/json\" id=\"{id}\">{}</script>", json(data))
}

fn json<T: Serialize>(data: &T) -> String {
    // Serialising numbers, strings and lists cannot fail; if it did, an empty object shows no chart.
    let json = serde_json::to_string(data).unwrap_or_else(|_| "{}".to_owned());
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Numbers with nine significant digits, enough for a screen; what is not finite becomes a gap.
pub fn rounded<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|&value| round(value)))
}

/// Nine significant digits; nothing for what is not finite.
fn round(value: f64) -> Option<Short> {
    if !value.is_finite() {
        return None;
    }
    let value: f64 = format!("{value:.8e}").parse().unwrap_or(value);
    Some(Short(value + 0.0))
}

/// A number written without a needless `.0`.
pub(crate) struct Short(pub(crate) f64);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < 1e15 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Sample {
        name: &'static str,
        #[serde(serialize_with = "rounded_list")]
        values: Vec<f64>,
    }

    fn rounded_list<S: Serializer>(values: &[f64], s: S) -> Result<S::Ok, S::Error> {
        rounded(values, s)
    }

    #[test]
    fn text_cannot_leave_its_element() {
        let data = Sample { name: "</script><!--\u{2028}\"", values: vec![0.1 + 0.2, -0.0, 20.0, f64::NAN, 1e300] };
        assert_eq!(
            data_element(&data),
            "<script type=\"application/json\">{\"name\":\"\\u003c/script>\\u003c!--\\u2028\\\"\",\
             \"values\":[0.3,0,20,null,1e+300]}</script>"
        );
    }
}
