//! Findings as they are listed: few enough to be read.

use super::{Check, Finding, Kind, Verdict};

/// Events and stretches of stick of one contact that are listed one by one; of more, so many that are not physics, and the rest as one line.
const SINGLE: usize = 12;

/// What a list shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed<'a> {
    /// One by one: what a model measures first, which is few and what is asked of it; of all, numerics first, then what is not decided.
    pub single: Vec<&'a Finding>,
    /// Events and stretches of stick of contacts that have many.
    pub summed: Vec<Summed>,
}

/// Events and stretches of stick of one contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summed {
    /// The contact.
    pub contact: String,
    /// How many are physics, numerics, not decided.
    pub counts: [usize; 3],
    /// Whether some of its events are listed besides.
    pub more: bool,
}

impl Summed {
    /// `contact: 1811 changes of state and stretches of stick`.
    pub fn words(&self) -> String {
        let [physics, numerics, open] = self.counts;
        let more = if self.more { " more" } else { "" };
        let mut words =
            format!("{}: {}{more} changes of state and stretches of stick", self.contact, physics + numerics + open);
        if numerics + open > 0 {
            words.push_str(&format!(" ({physics} physics, {numerics} numerics, {open} not decided)"));
        }
        words
    }

    /// The worst of them.
    pub fn verdict(&self) -> Verdict {
        match self.counts {
            [_, 0, 0] => Verdict::Physics,
            [_, 0, _] => Verdict::NotDecided,
            _ => Verdict::Numerics,
        }
    }
}

fn place(verdict: Verdict) -> usize {
    match verdict {
        Verdict::Physics => 0,
        Verdict::Numerics => 1,
        Verdict::NotDecided => 2,
    }
}

impl Check {
    /// The findings as they are listed.
    pub fn listed(&self) -> Listed<'_> {
        let mut single: Vec<&Finding> = self.findings.iter().collect();
        single.sort_by_key(|finding| {
            let verdict = match finding.verdict {
                Verdict::Numerics => 0,
                Verdict::NotDecided => 1,
                Verdict::Physics => 2,
            };
            (finding.kind != Kind::Measure, verdict)
        });
        let mut contacts: Vec<&str> = self.findings.iter().filter_map(|finding| finding.contact.as_deref()).collect();
        contacts.dedup();
        let mut summed = Vec::new();
        for (k, contact) in contacts.iter().enumerate() {
            let own = |finding: &Finding| finding.contact.as_deref() == Some(*contact);
            let count = self.findings.iter().filter(|finding| own(finding)).count();
            if count <= SINGLE || contacts[..k].contains(contact) {
                continue;
            }
            let (mut kept, mut counts) = (0, [0; 3]);
            single.retain(|finding| {
                let stays = !own(finding) || (finding.verdict != Verdict::Physics && kept < SINGLE);
                match (own(finding), stays) {
                    (true, true) => kept += 1,
                    (true, false) => counts[place(finding.verdict)] += 1,
                    _ => {}
                }
                stays
            });
            if counts.iter().sum::<usize>() > 0 {
                summed.push(Summed { contact: (*contact).to_string(), counts, more: kept > 0 });
            }
        }
        Listed { single, summed }
    }

    /// The run that was taken for exact, in words.
    pub fn other_run(&self) -> &'static str {
        match self.reference {
            "events" => "from event to event",
            "kicks" => "with another integrator, by kicks",
            "finer mesh" => "on a finer mesh",
            "h/4" => "with a quarter of it",
            _ => "with an eighth of it",
        }
    }

    /// All in one line: `1853 features are physics, none numerics, 2 not decided`.
    pub fn in_short(&self) -> String {
        let [physics, numerics, open] = self.counts;
        let numerics = if numerics == 0 { "none".to_string() } else { numerics.to_string() };
        let open = if open == 0 { String::new() } else { format!(", {open} not decided") };
        format!("{physics} features are physics, {numerics} numerics{open}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(events: usize, wrong: usize) -> Check {
        let mut findings: Vec<Finding> = (0..events)
            .map(|k| {
                let verdict = if k < wrong { Verdict::Numerics } else { Verdict::Physics };
                let mut finding =
                    Finding::new(format!("pad {k}"), Kind::Event, [Some(k as f64); 3], Some(1.0), verdict);
                finding.contact = Some("pad".into());
                finding
            })
            .collect();
        findings.push(Finding::new("x at the end".into(), Kind::End, [Some(1.0); 3], Some(1.0), Verdict::Physics));
        let mut measure = Finding::new("level".into(), Kind::Measure, [Some(128.0); 3], Some(1.0), Verdict::Physics);
        measure.unit = "dB";
        findings.push(measure);
        let counts = [events - wrong + 2, wrong, 0];
        Check { steps: [2e-3, 1e-3], reference: "events", parted: None, words: String::new(), counts, findings }
    }

    #[test]
    fn measures_come_first_and_many_events_are_one_line() {
        let many = check(2000, 0);
        let listed = many.listed();
        let names: Vec<String> = listed.single.iter().map(|finding| finding.name()).collect();
        assert_eq!(names, ["level (dB)", "x at the end"]);
        assert_eq!(listed.summed[0].words(), "pad: 2000 changes of state and stretches of stick");
        assert_eq!(listed.summed[0].verdict(), Verdict::Physics);
        assert_eq!(many.in_short(), "2002 features are physics, none numerics");
    }

    /// What is wrong is shown, up to a dozen; and counted.
    #[test]
    fn numerics_are_not_summed_away() {
        let many = check(2000, 15);
        let listed = many.listed();
        assert_eq!(listed.single.iter().filter(|finding| finding.verdict == Verdict::Numerics).count(), 12);
        assert_eq!((listed.single.len(), listed.summed[0].counts), (14, [1985, 3, 0]));
        assert!(listed.summed[0].words().contains("1988 more") && listed.summed[0].verdict() == Verdict::Numerics);
        assert_eq!(check(12, 0).listed().single.len(), 14, "few are listed one by one");
    }
}
