//! Torques of motors in scenario files: counter-clockwise, as in the equations, or forwards, as drivers count.

use stickslip_core::signal::Signal;
use stickslip_scenario::tables::{Context, Fault, SignalOf, Torque};

/// The motor torque, counter-clockwise, by `turning` (written under `key`) or by `drive`, which counts forwards; none if
/// neither is given. What it belongs to goes into messages.
pub(crate) fn torque(
    (key, turning): (&str, Option<&SignalOf<Torque>>),
    drive: Option<&SignalOf<Torque>>,
    of: &str,
    context: &mut Context<'_>,
) -> Result<Option<Signal>, Fault> {
    match (turning, drive) {
        (Some(_), Some(drive)) => Err(Fault::new(format!("`{key}` and `drive` are the same torque, given twice"))
            .help(format!(
                "keep one of them: `drive` counts forwards, `{key}` counter-clockwise, so that driving is negative"
            ))
            .at(&drive.span())),
        (Some(turning), None) => turning.read(&format!("the motor torque{of}"), context).map(Some),
        // A wheel that rolls forwards turns clockwise.
        (None, Some(drive)) => Ok(Some(drive.read(&format!("the driving torque{of}"), context)?.scaled(-1.0))),
        (None, None) => Ok(None),
    }
}
