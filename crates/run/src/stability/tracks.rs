//! Roots of neighbouring points joined to curves.

use stickslip_core::analysis::stability::Root;

/// A root followed from point to point; none where it could not be.
pub(super) type Track = Vec<Option<Root>>;

/// Roots followed over the points of one key: of two neighbouring points those that are nearest belong together, the nearest
/// first. A track ends where two roots become one pair, or one pair two.
pub(super) fn tracks(points: &[Option<&[Root]>]) -> Vec<Track> {
    let mut tracks: Vec<Track> = Vec::new();
    for (k, roots) in points.iter().enumerate() {
        let roots = roots.unwrap_or_default();
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (t, track) in tracks.iter().enumerate() {
            let Some(Some(last)) = track.last() else { continue };
            for (r, root) in roots.iter().enumerate() {
                if (last.frequency == 0.0) == (root.frequency == 0.0) {
                    pairs.push(((last.real - root.real).hypot(last.frequency - root.frequency), t, r));
                }
            }
        }
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let (mut taken, mut used) = (vec![false; roots.len()], vec![false; tracks.len()]);
        for (_, t, r) in pairs {
            if !taken[r] && !used[t] {
                (taken[r], used[t]) = (true, true);
                tracks[t].push(Some(roots[r]));
            }
        }
        tracks.iter_mut().filter(|track| track.len() == k).for_each(|track| track.push(None));
        for (root, _) in roots.iter().zip(&taken).filter(|(_, taken)| !**taken) {
            let mut track = vec![None; k];
            track.push(Some(*root));
            tracks.push(track);
        }
    }
    tracks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(real: f64, frequency: f64) -> Root {
        Root { real, frequency, uncertainty: 0.0 }
    }

    #[test]
    fn roots_that_pass_each_other_keep_their_tracks() {
        let points: Vec<Vec<Root>> = (0..5)
            .map(|k| {
                let mut roots = vec![root(-2.0 + f64::from(k), 10.0), root(2.0 - f64::from(k), 20.0)];
                roots.sort_by(|a, b| b.real.total_cmp(&a.real));
                roots
            })
            .collect();
        let borrowed: Vec<Option<&[Root]>> = points.iter().map(|roots| Some(&roots[..])).collect();
        let found = tracks(&borrowed);
        assert_eq!(found.len(), 2);
        for track in found {
            let frequencies: Vec<f64> = track.iter().flatten().map(|root| root.frequency).collect();
            assert!(frequencies.len() == 5 && frequencies.iter().all(|f| *f == frequencies[0]), "{frequencies:?}");
        }
    }

    #[test]
    fn a_pair_that_becomes_two_ends_a_track_and_begins_two() {
        let points = [vec![root(-1.0, 0.1)], vec![root(-0.5, 0.0), root(-1.5, 0.0)], vec![]];
        let borrowed: Vec<Option<&[Root]>> = points.iter().map(|roots| Some(&roots[..])).collect();
        let found = tracks(&borrowed);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|track| track.len() == 3 && track.iter().flatten().count() == 1));
    }
}
