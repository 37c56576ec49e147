use std::os::unix::ffi::OsStrExt;

use super::*;
use crate::invocation::ProgramOptions;
use crate::output::terse::TerseVersion;
use crate::testing::{FakeLoader, jobs, messages, notes, words};

fn loader() -> FakeLoader {
    FakeLoader::default()
        .file("f1", "[j1]\nsize=4k\n")
        .file("f2", "[global]\nbs=2k\n[j2]\n[j3]\nsize=4k\n")
        .file("only-global", "[global]\nbs=2k\n")
        .file("-", "[q]\nsize=4k\n")
}

fn parsed(line: &str) -> Invocation {
    let line = format!("fio {line}");
    loader().parse(&words(&line)).unwrap_or_else(|rejection| panic!("{line}: {:?}", messages(&rejection)))
}

fn rejected(line: &str) -> Vec<String> {
    let line = format!("fio {line}");
    match loader().parse(&words(&line)) {
        Ok(invocation) => panic!("{line} was accepted: {:?}", jobs(&invocation)),
        Err(rejection) => messages(&rejection),
    }
}

#[test]
fn jobs_match_fio() {
    let cases: &[(&str, &[&str])] = &[
        ("--name=a --rw=read", &["a:  | name=a rw=read"]),
        ("-name=a -rw read -thread", &["a:  | name=a rw=read thread"]),
        ("--name a --rw read", &["a:  | name=a rw=read"]),
        ("--name=a --readwrite=read --blocksize 4k", &["a:  | name=a rw=read bs=4k"]),
        ("--name=a --iod=4 -numj 2", &["a:  | name=a iodepth=4 numjobs=2"]),
        ("--name=a --bs=1k --bs=2k", &["a:  | name=a bs=1k bs=2k"]),
        // All jobs inherit the options before the first name.
        ("--bs=1k --name=a --rw=read --name=b", &["a: bs=1k | name=a rw=read", "b: bs=1k | name=b"]),
        ("--name=a --name=b --bs=1k", &["a:  | name=a", "b:  | name=b bs=1k"]),
        // A name that begins with `global` adds to what later jobs inherit.
        (
            "--rw=write --name=global --bs=1k --name=a --rw=read --name=globalx --size=2k --name=b",
            &[
                "a: rw=write name=global bs=1k | name=a rw=read",
                "b: rw=write name=global bs=1k name=globalx size=2k | name=b",
            ],
        ),
        // Flags never take the next argument as their value.
        ("--name=a --thread f1", &["a:  | name=a thread", "j1:  | size=4k"]),
        ("--name=a --group_reporting=0", &["a:  | name=a group_reporting=0"]),
        // Unlike in fio, an option with an optional text does not take the next option as its value.
        ("--name=a --write_bw_log --name=b", &["a:  | name=a write_bw_log", "b:  | name=b"]),
        ("--name=a --write_bw_log x", &["a:  | name=a write_bw_log=x"]),
        ("--name=a --write_bw_log", &["a:  | name=a write_bw_log"]),
        // Values may begin with a dash and hold `=`.
        ("--name=a --filename -x", &["a:  | name=a filename=-x"]),
        ("--name=a --nice -5", &["a:  | name=a nice=-5"]),
        ("--name=a --filename=a:b --description=a=b", &["a:  | name=a filename=a:b description=a=b"]),
        ("--name=a --filename --", &["a:  | name=a filename=--"]),
        // Arithmetic in parentheses; no variables.
        ("--name=a --iodepth=(2*3) --size=(1g/4)", &["a:  | name=a iodepth=6 size=268435456"]),
        ("--name=a --runtime=(2*1m)", &["a:  | name=a runtime=120000000000ns"]),
        ("--name=a --filename=${X}$ncpus", &["a:  | name=a filename=${X}$ncpus"]),
        // Files come after the jobs of the command line, wherever they are written.
        ("f1", &["j1:  | size=4k"]),
        ("f1 --name=x --bs=1k", &["x:  | name=x bs=1k", "j1:  | size=4k"]),
        ("--bs=1k f1", &["j1: bs=1k | size=4k"]),
        ("--bs=1k --name=x f1 --name=y", &["x: bs=1k | name=x", "y: bs=1k | name=y", "j1: bs=1k | size=4k"]),
        ("f1 f2", &["j1:  | size=4k", "+j2: bs=2k | ", "j3: bs=2k | size=4k"]),
        ("f2 f1", &["j2: bs=2k | ", "j3: bs=2k | size=4k", "+j1:  | size=4k"]),
        ("--rw=write f2 f1", &["j2: rw=write bs=2k | ", "j3: rw=write bs=2k | size=4k", "+j1:  | size=4k"]),
        ("f1 f1", &["j1:  | size=4k", "+j1:  | size=4k"]),
        ("-", &["q:  | size=4k"]),
        ("f1 -", &["j1:  | size=4k", "+q:  | size=4k"]),
        ("--name=a -- f1", &["a:  | name=a", "j1:  | size=4k"]),
        ("only-global f1", &["+j1:  | size=4k"]),
        // Sections.
        ("--section=j2 f2", &["j2: bs=2k | "]),
        ("f2 -section j3 --section=j2", &["j2: bs=2k | ", "j3: bs=2k | size=4k"]),
        ("--section=j3 f1 f2", &["+j3: bs=2k | size=4k"]),
        ("--section=j2 --name=x f2", &["j2: bs=2k | "]),
        ("--section=x --name=x --bs=1k --name=y --bs=2k", &["x:  | name=x bs=1k"]),
        ("--name=x --section=y --name=y --name=z", &["x:  | name=x", "y:  | name=y"]),
        // Options only.
        ("--parse-only", &[]),
        ("--parse-only only-global", &[]),
        ("--showcmd", &[]),
        ("--version nofile", &[]),
        ("nofile --help --nosuch", &[]),
        ("--cmdhelp=bs nofile", &[]),
        ("-i nofile", &[]),
    ];
    for (line, expected) in cases {
        assert_eq!(jobs(&parsed(line)), *expected, "{line}");
    }
}

#[test]
fn options_of_the_program() {
    let default = ProgramOptions { parse_only: true, ..ProgramOptions::default() };
    let cases: Vec<(&str, ProgramOptions)> = vec![
        ("", default.clone()),
        (
            "--readonly --warnings-fatal",
            ProgramOptions { readonly: true, warnings_fatal: true, ..default.clone() },
        ),
        (
            "--output=x -V4",
            ProgramOptions { output: Some("x".into()), terse_version: TerseVersion::V4, ..default.clone() },
        ),
        (
            "-o x -V 4",
            ProgramOptions { output: Some("x".into()), terse_version: TerseVersion::V4, ..default.clone() },
        ),
        (
            "-rwV5",
            ProgramOptions {
                readonly: true,
                warnings_fatal: true,
                terse_version: TerseVersion::V5,
                ..default.clone()
            },
        ),
        ("-ofile", ProgramOptions { output: Some("file".into()), ..default.clone() }),
        ("--cmdhelp", ProgramOptions { cmdhelp: Some("all".into()), ..default.clone() }),
        (
            "--enghelp=libaio,hipri",
            ProgramOptions { enghelp: Some("libaio,hipri".into()), ..default.clone() },
        ),
        ("-v", ProgramOptions { version: true, ..default.clone() }),
        (
            "--allow-erase S1 --allow-erase=S2",
            ProgramOptions { allow_erase: vec!["S1".into(), "S2".into()], ..default.clone() },
        ),
    ];
    for (line, expected) in cases {
        assert_eq!(parsed(&format!("--parse-only {line}")).program, expected, "{line}");
    }
    let formats = parsed("--parse-only -f").program.formats;
    assert!(formats.normal && formats.terse && !formats.json);
}

#[test]
fn origins_are_argument_indexes() {
    let invocation = parsed("--bs 4k --name=a f1 -rw=read");
    let places = |job: usize| -> Vec<_> {
        invocation.jobs[job].spec.settings.iter().map(|setting| setting.origin.clone()).collect()
    };
    let word = |word| Origin::CommandLine { word };
    assert_eq!(places(0), [word(1), word(3), word(5)]);
    assert_eq!(invocation.jobs[0].spec.origin, word(3));
    let line = |line| Origin::File { path: "f1".into(), line, column: 1 };
    assert_eq!(places(1), [word(1), line(2)]);
    assert_eq!(invocation.jobs[1].spec.origin, line(1));
}

#[test]
fn each_error_names_place_cause_and_remedy() {
    let cases: &[(&str, &[&str])] = &[
        (
            "--name=a --nosuchoption=1",
            &["fio-place.word(word=2): jobs-problem.unknown-option(option=--nosuchoption)"],
        ),
        (
            "--name=a -blocksise=4k",
            &[
                "fio-place.word(word=2): jobs-problem.unknown-option-meant(meant=--blocksize, option=-blocksise)",
            ],
        ),
        (
            "--name=a ---bs=4k",
            &["fio-place.word(word=2): jobs-problem.unknown-option-meant(meant=--bs, option=---bs)"],
        ),
        ("-q --name=a", &["fio-place.word(word=1): jobs-problem.unknown-option(option=-q)"]),
        ("-rq --name=a", &["fio-place.word(word=1): jobs-problem.unknown-option(option=-q)"]),
        ("--name=a --=4", &["fio-place.word(word=2): jobs-problem.unknown-option(option=--)"]),
        (
            "--name=a --rwmix=4",
            &[
                "fio-place.word(word=2): fio-option.ambiguous(option=--rwmix, options=rwmixread+rwmixwrite+rwmixcycle)",
            ],
        ),
        (
            "--name=a --outp=4",
            &["fio-place.word(word=2): fio-option.ambiguous(option=--outp, options=output+output-format)"],
        ),
        (
            "--name=a -out=4",
            &["fio-place.word(word=2): fio-option.ambiguous(option=-out, options=output+output-format)"],
        ),
        ("--name=a --direct", &["fio-place.word(word=2): fio-option.value-missing(option=--direct)"]),
        (
            "--name=a --direct --rw=raed --nosuchoption",
            &[
                "fio-place.word(word=2): fio-option.value-missing(option=--direct)",
                "fio-place.word(word=4): jobs-problem.unknown-option(option=--nosuchoption)",
            ],
        ),
        ("--name=a -x", &["fio-place.word(word=2): fio-option.value-missing(option=--section)"]),
        ("--name=a --filename=", &["fio-place.word(word=2): fio-option.value-empty(option=--filename)"]),
        (
            "--name= --output=",
            &[
                "fio-place.word(word=1): fio-option.value-empty(option=--name)",
                "fio-place.word(word=2): fio-option.value-empty(option=--output)",
            ],
        ),
        ("--name=a --minimal=1", &["fio-place.word(word=2): fio-option.value-unwanted(option=--minimal)"]),
        (
            "--name=a --output-format=xml",
            &[
                "fio-place.word(word=2): jobs-problem.bad-value(problem=fio-value.unknown-format(formats=normal+terse+json+json+), setting=--output-format=xml)",
            ],
        ),
        (
            "--name=a --eta-interval=100ms",
            &[
                "fio-place.word(word=2): jobs-problem.bad-value(problem=fio-value.shorter-than(limit=DurationNs(250000000)), setting=--eta-interval=100ms)",
            ],
        ),
        (
            "--name=a --status-interval=x",
            &[
                "fio-place.word(word=2): jobs-problem.bad-value-example(example=fio-value.example-of-time, problem=jobs-value.not-a-number, setting=--status-interval=x)",
            ],
        ),
        (
            "--name=a --client=host",
            &["fio-place.word(word=2): fio-option.refused(option=--client, reason=fio-program.network)"],
        ),
        (
            "--name=a --size=(1g/0)",
            &[
                "fio-place.word(word=2): fio-option.not-calculated(problem=fio-arithmetic.division-by-zero, setting=--size=(1g/0))",
            ],
        ),
        (
            "nofile f1 nofile2",
            &[
                "fio-place.word(word=1): fio-file.unreadable(path=nofile, reason=no such file)",
                "fio-place.word(word=3): fio-file.unreadable(path=nofile2, reason=no such file)",
            ],
        ),
        (
            "--section=x f1 f2 --section=j2 --section=J3",
            &[
                "fio-place.word(word=1): fio-file.unknown-section(section=x, sections=j1+j2+j3)",
                "fio-place.word(word=5): fio-file.unknown-section(section=J3, sections=j1+j2+j3)",
                "fio-place.word(word=1): fio-file.sections-of-all-files",
            ],
        ),
        ("--section=x only-global", &["fio-place.word(word=1): fio-file.no-sections(section=x)"]),
        ("--section=global f2", &["fio-place.word(word=1): fio-value.global-section(section=global)"]),
        ("", &["fio-file.no-jobs"]),
        ("--bs=4k", &["fio-file.no-jobs"]),
        ("only-global", &["only-global:1:1: fio-file.no-jobs"]),
        ("--version --nosuch -q", &[]),
    ];
    for (line, expected) in cases {
        if expected.is_empty() {
            parsed(line);
        } else {
            assert_eq!(rejected(line), *expected, "{line}");
        }
    }
}

#[test]
fn arguments_that_are_not_plain_text() {
    let mut loader = FakeLoader::default();
    let bytes = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    let rejection = parse(
        &[
            bytes(b"--name=a"),
            bytes(b"--filename=\xff"),
            bytes(b"--filename"),
            bytes(b"\xfe"),
            bytes(b"a\0b"),
        ],
        &mut loader,
    )
    .unwrap_err();
    let no_text = "fio-file.not-text";
    assert_eq!(
        messages(&rejection),
        [
            format!("fio-place.word(word=2): {no_text}"),
            format!("fio-place.word(word=4): {no_text}"),
            "fio-place.word(word=5): fio-file.zero-byte".to_string(),
        ]
    );
    // The result of a backslash followed by a space at the end of a shell line.
    let rejection = loader.parse(&["--name=a", " "]).unwrap_err();
    assert_eq!(
        messages(&rejection),
        ["fio-place.word(word=2): fio-file.not-a-job-file(path= , reason=no such file)"]
    );
}

#[test]
fn remarks() {
    let cases: &[(&str, &[&str])] = &[
        (
            "--name=a --filename=~/x --description=~/a --exec_prerun=~/b",
            &["fio-place.word(word=2): fio-option.tilde(option=filename)"],
        ),
        ("--name=a --output=~/x", &["fio-place.word(word=2): fio-option.tilde(option=output)"]),
        (
            "--name=a --max-jobs=4 -a 1024",
            &[
                "fio-place.word(word=2): fio-option.ignored(option=--max-jobs, reason=fio-program.max-jobs)",
                "fio-place.word(word=3): fio-option.ignored(option=--alloc-size, reason=fio-program.alloc-size)",
            ],
        ),
        ("--bs=1k f1 f2", &["fio-place.word(word=3): fio-file.only-first-file"]),
        ("--name=Global --bs=1k", &["fio-place.word(word=1): fio-file.capital-global(section=Global)"]),
        ("--name=a --bs=1k f1", &[]),
    ];
    for (line, expected) in cases {
        assert_eq!(notes(&parsed(line)), *expected, "{line}");
    }
}

#[test]
fn information_options_do_not_open_files() {
    let mut loader = loader();
    loader.parse(&["--cmdhelp=bs", "f1"]).unwrap();
    assert!(loader.asked.is_empty());
    loader.parse(&["f1", "-"]).unwrap();
    assert_eq!(loader.asked, ["f1", "-"]);
}
