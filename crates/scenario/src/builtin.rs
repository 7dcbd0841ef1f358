//! Scenarios that come with the program.

/// A scenario that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// The name to run it by.
    pub name: &'static str,
    /// What it shows, in one line.
    pub title: &'static str,
    /// The scenario file.
    pub text: &'static str,
}

macro_rules! builtin {
    ($name:literal, $title:literal) => {
        Builtin { name: $name, title: $title, text: include_str!(concat!("../../../scenarios/", $name, ".toml")) }
    };
}

const BUILTINS: &[Builtin] = &[
    builtin!("wheel-sport-drive", "Full throttle from rest: the wheel spins, then grips"),
    builtin!("wheel-sport-braking", "Hard braking from 20 m/s: the wheel locks, then rolls again"),
    builtin!("wheel-smooth-ride", "A gentle ride to a stop that stays a stop: the wheel never slips"),
    builtin!("car-two-wheels-braking", "A car braked on both axles: the front locks, the rear rolls"),
    builtin!("car-four-wheels-braking", "Four wheels, two of them on ice, braked alike"),
    builtin!("hill-start", "Uphill from rest without rolling back"),
    builtin!("towed-wheel-p1", "A towed wheel shimmies: irregular at first, then periodic rolling and slipping"),
    builtin!("towed-wheel-p2", "The same with more grip: chaotic shimmy at large angles"),
    builtin!("towed-wheel-p3", "A longer bar: shimmy dies out and the wheel never slips"),
    builtin!("towed-wheel-chaos", "A very short bar on a soft spring: chaos that lasts"),
    builtin!("friction-oscillator", "A driven oscillator with friction that depends on the place: chaos"),
    builtin!("park-on-slope", "A car parked on a slope stays where it is, exactly"),
    builtin!("drive-off-on-ice", "One driven wheel spins on ice, the other one moves the car"),
    builtin!("road-train", "200 wheels brake over sheets of ice"),
    builtin!("two-mass", "Two masses with dry friction between them, one shaken"),
    builtin!("two-mass-vampire", "The same with the Vampire friction element, and its noise"),
    builtin!("two-mass-kolsch", "The same with the Kolsch (ADAMS/Rail) friction element"),
    builtin!("bogie-case-1", "Wagon bogie shaken lengthwise: slip, stops, stick"),
    builtin!("bogie-case-1b", "Wagon bogie shaken gently: stuck"),
    builtin!("bogie-case-2", "Wagon bogie shaken both ways, gently: stuck at 90 % of the limit"),
    builtin!("bogie-case-2q", "The same in quadrature"),
    builtin!("bogie-case-2b", "Wagon bogie shaken both ways, hard: slip in the plane"),
    builtin!("bogie-front-only", "Wagon bogie, front wheelset shaken alone: slip with yaw"),
    builtin!("bogie-antiphase", "Wagon bogie, wheelsets shaken against each other"),
    builtin!("bogie-shared-load", "Wagon bogie, 10 kN shared by four pads: it slips"),
    builtin!("bogie-heavy-load", "Wagon bogie, 10 kN on every pad"),
    builtin!("block-on-belt", "A block on a belt sticks and slips for ever"),
    builtin!("coulomb-oscillator", "A free oscillator comes to rest away from the middle"),
    builtin!("den-hartog", "A shaken oscillator with dry friction: Den Hartog's amplitude"),
    builtin!("carter", "Two cylinders roll with creepage: stick at the front, slip behind, as Carter found"),
    builtin!("cattaneo", "Two balls are pushed sideways at rest: the middle sticks, a ring slips"),
    builtin!("cattaneo-to-carter", "Pushed, then rolled: the ring of slip turns into a sickle at the back"),
    builtin!("creep-42kn", "A wheel on a rail under 42 kN with creepage: tractions, stick and slip"),
    builtin!("rail-wheel-braking", "A railway wheel brakes: creeps, slides nearly to locking, recovers, rests"),
];

/// All scenarios that come with the program.
pub fn builtins() -> &'static [Builtin] {
    BUILTINS
}
