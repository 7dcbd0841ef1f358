//! The book of claims holds, as a whole.

use stickslip::models::MODELS;
use stickslip::verify::{GENERAL, Row, count, run};

#[test]
fn every_claim_of_the_book_holds() {
    let rows = run(GENERAL.iter().chain(MODELS.chapters()), |_| ());
    let failed: Vec<&Row> = rows.iter().filter(|row| !row.pass).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    // As many as there are, so that none gets lost: change these with the book.
    let counts = [count(&rows, "independent"), count(&rows, "consistency")];
    assert_eq!(counts, [(267, 0), (50, 0)]);
    for row in &rows {
        assert!(!row.source.is_empty() && !row.claim.is_empty(), "{row:?}");
    }
    // What the program says of itself is no independent source.
    let own = ["rest is exact", "exact is exact", "the solver's own tally", "the ledger", "second law"];
    assert!(!rows.iter().any(|row| row.kind == "independent" && own.contains(&row.source)));
}
