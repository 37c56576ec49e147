//! Compares with fio 3.33, where installed: the same input must give the same jobs, or none.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use cardiograph_core::Setting;

use super::invocation::FioJob;
use super::showcmd::showcmd;
use super::testing::FakeLoader;

/// Job files for fio and this parser. All jobs end immediately.
const FILES: &[(&str, &str)] = &[
    ("f1", "[j1]\nioengine=null\nsize=4k\n"),
    ("f2", "[global]\nioengine=null\nsize=4k\n[j2]\n[global]\nbs=2k\n[j3]\nthread\n"),
    (
        "all",
        "; comment\n# comment\n[global]\nioengine=null\nsize=4k ; comment\n\n  [a]  \n rw =write#x\nreadwrite=read\n\
         [b c] ; x\nname=d\ndescription=x y=z\n[globalx]\nblocksize=1k\n[e]]\niodepth=$ncpus*2\nrandseed=${X}\n\
         description=a${X}b${X}$X\ninclude inc\n[GLOBAL]\n",
    ),
    ("crlf", "[a]\r\nioengine=null\r\nsize=4k\r\n\r\n"),
    ("inc", "rw=write\ninclude=sub/inc2\n"),
    ("sub/inc2", "include inc3\n"),
    ("sub/inc3", "numjobs=2\n"),
    ("two", "[a]\nioengine=null\nsize=4k\n[b]\nnosuch=1\ninclude nofile\n"),
    (
        "show",
        "[global]\nioengine=null\n[a]\nblocksize=1k\nthread\nwrite_bw_log\ndescription=a b\n[b]\nsize=2k\n",
    ),
    ("unknown", "[a]\nnosuch=1\n"),
    ("outside", "bs=1k\n[a]\nioengine=null\nsize=4k\n"),
    ("empty-value", "[a]\nioengine=null\nsize=4k\nfilename=\n"),
    ("no-value", "[a]\nioengine=null\nsize=4k\niodepth\n"),
    ("unset", "[a]\nioengine=null\nsize=4k\ndescription=${NOPE}\n"),
    ("upper", "[a]\nioengine=null\nsize=4k\nRW=read\n"),
    ("head-in-include", "[a]\nioengine=null\nsize=4k\ninclude f1\nbs=1k\n"),
    ("include-first", "include inc\n[a]\nioengine=null\nsize=4k\n"),
    ("nothing", ""),
    ("only-global", "[global]\nbs=1k\n"),
];

const ACCEPTED: &[&[&str]] = &[
    &["--name=a", "-ioengine", "null", "-size=4k", "-rw", "read"],
    &["--ioengine=null", "--size=4k", "--name=a", "--rw=read", "--name=b", "--thread"],
    &[
        "--rw=randread",
        "--name=global",
        "--ioengine=null",
        "--size=4k",
        "--name=a",
        "--name=globalx",
        "--bs=2k",
        "--name=b",
    ],
    &["--ioengine=null", "--size=4k", "--name=a", "--name=GLOBAL", "--bs=1k", "--bs=2k"],
    &["--ioengine=null", "--size=4k", "--name=a", "--filename", "-x", "--blocksize=2k", "--numj=2"],
    &["f1", "f2"],
    &["f1", "--rw=write", "f2"],
    &["--ioengine=null", "--size=4k", "--name=x", "f1", "--name=y", "--", "f2"],
    &["all"],
    &["crlf"],
    &["--section=a", "two"],
    &["f2", "--section=j3"],
    &["-xj2", "--section", "j3", "f2"],
    &["--ioengine=null", "--size=4k", "--name=x", "--section=y", "--name=y", "--name=z"],
    &["--ioengine=null", "--size=4k", "--section=j1", "--name=x", "f1"],
];

const REFUSED: &[&[&str]] = &[
    &["--name=a", "--nosuchoption=1"],
    &["--name=a", "--rwmix=4"],
    &["--name=a", "--outp=4"],
    &["--name=a", "---bs=4"],
    &["--name=a", "--direct"],
    &["--name=a", "--direct", "--rw=read"],
    &["--name="],
    &["--name=a", "--filename="],
    &["--name=a", "--minimal=1"],
    &["--name=a", "--output-format=xml"],
    &["--name=a", "--terse-version=6"],
    &["--name=a", "--eta-interval=100ms"],
    &["--name=a", "--status-interval=0"],
    &["--section=global", "f1"],
    &["--section=nope", "f1"],
    &["-q"],
    &["-x"],
    &["--ioengine=null"],
    &[],
    &["nofile"],
    &["f1", "nofile"],
    &["unknown"],
    &["outside"],
    &["empty-value"],
    &["no-value"],
    &["unset"],
    &["upper"],
    &["head-in-include"],
    &["include-first"],
    &["nothing"],
    &["only-global"],
];

/// A directory with the files; `None` without fio 3.33.
fn oracle() -> Option<impl AsRef<Path>> {
    let version = Command::new("fio").arg("--version").output().map(|output| output.stdout);
    if version.unwrap_or_default() != b"fio-3.33\n" {
        cardiograph_testing::skip("what fio makes of command lines", "needs fio 3.33");
        return None;
    }
    let directory = cardiograph_testing::disk_dir();
    for (name, content) in FILES {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    Some(directory)
}

/// fio's output for each command, run in parallel because it mostly waits.
fn fio(directory: &Path, commands: &[Vec<&str>]) -> Vec<Output> {
    let start = |words: &Vec<&str>| {
        let mut fio = Command::new("fio");
        fio.args(words).current_dir(directory).env("X", "5").env_remove("NOPE");
        fio.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let started: Vec<_> = commands.iter().map(start).collect();
    started.into_iter().map(|fio| fio.wait_with_output().unwrap()).collect()
}

fn loader() -> FakeLoader {
    let loader = FakeLoader::default().variable("X", "5");
    FILES.iter().fold(loader, |loader, (name, content)| loader.file(name, content))
}

/// Options as in fio's JSON: the last value of each, without those that have none.
fn options(settings: &[Setting]) -> BTreeMap<String, String> {
    let written = settings.iter().filter(|setting| !setting.value.is_empty());
    written.map(|setting| (setting.option.clone(), setting.value.clone())).collect()
}

fn json_options(value: &serde_json::Value) -> BTreeMap<String, String> {
    serde_json::from_value(value.clone()).unwrap_or_default()
}

#[test]
fn fio_makes_the_same_jobs() {
    let Some(directory) = oracle() else { return };
    let commands: Vec<_> =
        ACCEPTED.iter().map(|words| [&["--output-format=json"], *words].concat()).collect();
    for (words, output) in ACCEPTED.iter().zip(fio(directory.as_ref(), &commands)) {
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{words:?}: {error}: {}", String::from_utf8_lossy(&output.stderr))
        });
        let found = loader().parse(words).unwrap_or_else(|rejection| panic!("{words:?}: {rejection:?}")).jobs;

        let clones =
            |job: &FioJob| options(&job.spec.settings).get("numjobs").map_or(1, |n| n.parse().unwrap());
        let all = found.iter().flat_map(|job| std::iter::repeat_n(job, clones(job)));
        let mut group = 0;
        let ours: Vec<_> = all
            .map(|job| {
                group += u64::from(job.starts_group);
                (job.spec.name.clone(), group, options(&job.spec.settings[job.own_from..]))
            })
            .collect();
        let fios = document["jobs"].as_array().unwrap().iter().map(|job| {
            let name = job["jobname"].as_str().unwrap().to_string();
            (name, job["groupid"].as_u64().unwrap(), json_options(&job["job options"]))
        });
        let fios: Vec<_> = fios.collect();
        // The number of CPUs is this machine's.
        let cpus = std::thread::available_parallelism().unwrap().get();
        let fios =
            format!("{fios:?}").replace(&format!("\"iodepth\": \"{}\"", cpus * 2), "\"iodepth\": \"16\"");
        assert_eq!(format!("{ours:?}"), fios, "{words:?}");

        // With a single group, fio shows the final global options.
        if let (Some(globals), Some(last)) = (document.get("global options"), found.last()) {
            let ours = options(&last.spec.settings[..last.own_from]);
            assert_eq!(ours, json_options(globals), "{words:?}");
        }
    }
}

#[test]
fn input_that_fio_refuses_is_refused() {
    let Some(directory) = oracle() else { return };
    let commands: Vec<_> = REFUSED.iter().map(|words| words.to_vec()).collect();
    for (words, output) in REFUSED.iter().zip(fio(directory.as_ref(), &commands)) {
        assert_ne!(output.status.code(), Some(0), "{words:?}: fio accepts it");
        assert!(loader().parse(words).is_err(), "{words:?}");
    }
}

#[test]
fn fio_shows_the_same_command_lines() {
    let Some(directory) = oracle() else { return };
    let commands =
        [vec!["--showcmd", "f1"], vec!["--showcmd", "f1", "show"], vec!["--showcmd", "--bs=1k", "show"]];
    for (words, output) in commands.iter().zip(fio(directory.as_ref(), &commands)) {
        let ours = showcmd(&loader().parse(words).unwrap());
        assert_eq!(ours, String::from_utf8_lossy(&output.stdout), "{words:?}");
    }
}
