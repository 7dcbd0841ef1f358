//! Tyres, brake discs and controllers in scenario files: what is read, and faults at their places.

use std::fs;

use stickslip_models::MODELS;
use stickslip_models::vehicle::{Described, TyreForm};
use stickslip_run::Scenario;
use stickslip_scenario::Error;

const TIR: &str = include_str!("../../../../reference/tyre/synthetic-a.tir");

const GOOD: &str = r#"model = "vehicle"
[vehicle]
mass = "400 kg"
[road]
friction = 1
rolling = 0.01
[[wheel]]
name = "front"
radius = 0.3
inertia = 1.2
load = 1
tyre = { file = "a.tir", stiffness = "358 kN/m" }
disc = { mass = "7 kg", capacity = 460, cooling = 25, fade = [[20, 1], [250, 1], [650, 0.55]] }
[[controller]]
name = "abs"
kind = "anti-lock"
wheel = "front"
demand = "2 kN m"
slip_low = 0.08
slip_high = 0.18
[[controller]]
name = "cruise"
kind = "pid"
measure = "x1"
command = "wheel.front.motor"
target = 20
proportional = -800
limits = [-900, 0]
period = "20 ms"
[initial]
speed = 20
[run]
duration = 1
step = "1 ms"
"#;

fn read(text: &str, tir: &str) -> Result<Scenario, Error> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.tir"), tir).expect("written");
    MODELS.parse("test", text, folder.path(), &[])
}

#[test]
fn tyres_discs_and_controllers_are_read() {
    let scenario = read(GOOD, TIR).unwrap_or_else(|e| panic!("{e}"));
    let Some(Described { parameters, controllers, .. }) = scenario.model.of() else { panic!("no vehicle") };
    let wheel = &parameters.wheels[0];
    let tyre = wheel.tyre.as_ref().expect("a tyre");
    assert_eq!((tyre.form, tyre.stiffness, tyre.tyre.coefficients.pcx1), (TyreForm::Deflection, Some(358e3), 1.579));
    let disc = wheel.disc.as_ref().expect("a disc");
    assert_eq!((disc.specific_heat, disc.ambient, disc.share, disc.fade.len()), (460.0, 20.0, 1.0, 3));
    assert_eq!(controllers.len(), 2);
    // The file of the tyre is a part of the scenario: another one makes another fingerprint, and it is carried along.
    assert_ne!(read(GOOD, &TIR.replace("1.579", "1.58")).expect("read").hash, scenario.hash);
    assert_eq!(scenario.inputs.len(), 1);
    assert!(scenario.text.contains("inputs/a.tir"), "{}", scenario.text);
    // Plain coefficients are the same tyre.
    let plain = GOOD.replace(
        "file = \"a.tir\"",
        "nominal_load = 4000, coefficients = { pcx1 = 1.579, pdx1 = 1.0422, pkx1 = 21.687 }",
    );
    assert!(read(&plain, TIR).is_ok());
}

#[test]
fn faults_are_located_and_explained() {
    // What to write for what, then line, column and parts of message and help.
    let plain = "nominal_load = 4000, coefficients = { pcx1 = 1.579, pdx1 = 1.0422, pkx1 = 21.687 }";
    let cases = [
        ("file = \"a.tir\"", "file = \"b.tir\"", (12, 17), "cannot read \"b.tir\"", "did you mean \"a.tir\""),
        ("file = \"a.tir\", ", "", (12, 8), "neither a `file` nor `coefficients`", "name.tir"),
        (
            "file = \"a.tir\"",
            "file = \"a.tir\", nominal_load = 1",
            (12, 41),
            "`nominal_load` goes with `coefficients`",
            "leave",
        ),
        (
            "file = \"a.tir\"",
            "coefficients = { pcx1 = 1.5 }",
            (12, 25),
            "need the load that they belong to",
            "nominal_load",
        ),
        (
            "file = \"a.tir\"",
            "nominal_load = 4000, coefficients = { pcx9 = 1.5 }",
            (12, 48),
            "no coefficient \"pcx9\"",
            "did you mean",
        ),
        (
            "file = \"a.tir\"",
            "nominal_load = 4000, coefficients = { pcx1 = 2.5, pdx1 = 1, pkx1 = 20 }",
            (12, 46),
            "PCX1·LCX = 2.5",
            "between 0 and 2",
        ),
        ("stiffness = \"358 kN/m\"", "stiffness = -1", (12, 38), "a stiffness greater than 0", "kN/m"),
        ("stiffness = \"358 kN/m\"", "form = \"brush\"", (12, 33), "brush", "steady"),
        ("inertia = 1.2", "inertia = 1.2\nover_slip = 1", (11, 13), "its own law over slip", "leave one"),
        ("mass = \"400 kg\"", "mass = \"400 kg\"\nheight = 0.5", (4, 10), "which must be between them", "ahead"),
        ("[650, 0.55]", "[650, -0.55]", (13, 83), "a brake cannot push", "at least 0"),
        ("[250, 1], [650", "[650, 1], [250", (13, 83), "the first numbers must rise", "order the points"),
        ("capacity = 460", "capacity = 0", (13, 36), "greater than 0", ""),
        (
            "cooling = 25",
            "cooling = 25, share = 1.5",
            (13, 63),
            "a pure number between 0 and 1 is expected here, found 1.5",
            "plain number",
        ),
        ("slip_low = 0.08", "slip_low = 0.28", (20, 13), "slip_low = 0.28 must be below slip_high = 0.18", ""),
        ("demand = \"2 kN m\"", "demand = \"2 kN m\"\nperiod = 0", (19, 10), "a time greater than 0", "5 ms"),
        ("period = \"20 ms\"", "period = \"-20 ms\"", (29, 10), "a time greater than 0", "5 ms"),
        (
            "demand = \"2 kN m\"",
            "demand = \"2 kN m\"\nfall = 10",
            (19, 8),
            "a rate of torque less than 0 is expected here, found 10",
            "",
        ),
        (
            "demand = \"2 kN m\"",
            "demand = \"2 kN m\"\ntarget = 1",
            (19, 10),
            "`target` is no key of a controller of kind \"anti-lock\"",
            "pid",
        ),
        ("demand = \"2 kN m\"\n", "", (16, 8), "has no `demand`", "2000 N m"),
        ("wheel = \"front\"", "wheel = \"frond\"", (17, 9), "no wheel \"frond\"", "did you mean `front`?"),
        ("measure = \"x1\"", "measure = \"x7\"", (24, 11), "no column \"x7\"", "did you mean"),
        (
            "measure = \"x1\"",
            "measure = \"speed over ground\"",
            (24, 11),
            "no column \"speed over ground\"",
            "the columns are",
        ),
        ("wheel.front.motor", "wheel.front.moto", (25, 11), "no input \"wheel.front.moto\"", "wheel.front.motor"),
        ("wheel.front.motor", "wheel.front.brake", (25, 11), "a brake cannot push", "at least 0"),
        ("name = \"cruise\"", "name = \"abs\"", (22, 8), "a second controller is named \"abs\"", "a name of its own"),
        (
            "load = 1\n",
            "load = 1\nbrake = 100\n",
            (18, 9),
            "a brake torque of its own",
            "the controller gives the torque",
        ),
        ("limits = [-900, 0]", "limits = [900, 0]", (28, 11), "limits[0] = 900 must be below limits[1] = 0", ""),
        ("kind = \"pid\"", "kind = \"bang\"", (23, 8), "bang", "anti-lock"),
    ];
    let mut wrong = Vec::new();
    for (old, new, place, message, help) in cases {
        assert!(GOOD.contains(old), "{old}");
        let error = read(&GOOD.replacen(old, new, 1), TIR).expect_err(new);
        let found = error.position().map(|p| (p.line, p.column));
        let words = error.to_string();
        if found != Some(place) || !words.contains(message) || !words.contains(help) {
            wrong.push(format!("{new}: {place:?} {message} {help}\n{words}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let steady = GOOD.replacen("file = \"a.tir\"", &format!("{plain}, form = \"steady\""), 1);
    assert!(read(&steady, TIR).is_ok());
    assert!(read(&format!("{steady}scheme = \"events\"\n"), TIR).is_ok());
    let soft = GOOD.replacen("file = \"a.tir\", stiffness = \"358 kN/m\"", plain, 1);
    let refused = read(&soft, TIR).expect_err("no stiffness");
    assert!(refused.to_string().contains("350 kN/m"), "{refused}");
    let contrast = format!("{}[contrast]\ntanh_speed = 0.001\n", GOOD);
    assert!(read(&contrast, TIR).expect_err("contrast").to_string().contains("leave `tanh_speed` of [contrast] out"));
    let beside = format!("{GOOD}[contrast]\nwithout_control = true\n");
    let scenario = read(&beside, TIR).unwrap_or_else(|e| panic!("{e}"));
    assert!(scenario.model.of::<Described>().is_some_and(|described| described.without_control));
    let nothing = read(&format!("{GOOD}[contrast]\n"), TIR).expect_err("nothing is asked for").to_string();
    assert!(
        nothing.contains("does not say what to run beside") && nothing.contains("without_control = true"),
        "{nothing}"
    );
}

#[test]
fn faults_of_tir_files_name_the_line() {
    for (old, new, message) in [
        ("FNOMIN                   =4000", "FNOMIN 4000", "line 38: `FNOMIN 4000` is no line of a .tir file"),
        ("FORCE                    ='newton'", "FORCE ='pound'", "line 10: FORCE is measured in `pound`"),
        ("PCX1                     =1.579", "PCX1 =lots", "PCX1 = `lots` is not a finite number"),
        ("FITTYP                   =61", "FITTYP =7", "FITTYP = 7 is no version that is known"),
        ("PCX1                     =1.579", "PCX1 =2.5", "PCX1·LCX = 2.5: it must be between 0 and 2"),
    ] {
        assert!(TIR.contains(old), "{old}");
        let error = read(GOOD, &TIR.replacen(old, new, 1)).expect_err(new);
        assert_eq!(error.position().map(|p| (p.line, p.column)), Some((12, 17)), "{error}");
        assert!(error.message().contains("\"a.tir\"") && error.message().contains(message), "{error}");
    }
}
