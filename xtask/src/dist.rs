//! `cargo xtask dist`: makes what a release consists of, from nothing but the package registries.
//!
//! Programs are static: one file for all systems with that processor. They are linked by Zig, which has musl for every
//! target, through cargo-zigbuild; both come from the Python package index and are unpacked below the target directory, as are
//! other tools, and Debian's compiler if the toolchain has no library for the target ([`cross`]). Nothing is installed.
//!
//! All packages are made from one tree of files ([`tree`]). Times, owners and paths are the same in any directory; `--twice` compares
//! the bytes. A library that is built from Debian's source still has the name of its directory in the hashes of symbols.

mod deb;
mod image;
mod papers;
mod rpm;
mod sums;
mod tools;
mod tree;
mod twice;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use tools::Tools;

use crate::cross;
use crate::workspace::{self, stdout_of};

const USAGE: &str = "Usage: cargo xtask dist [--to DIRECTORY] [--key FILE] [amd64|arm64|armhf]..., or cargo xtask dist --twice [amd64|...]";

/// What `cargo auditable` sets, but for the path of that program: cargo makes names of symbols of it, which would then
/// depend on the directory.
const AUDITABLE: [(&str, &str); 2] = [
    ("RUSTC_WORKSPACE_WRAPPER", "cargo-auditable"),
    ("CARGO_AUDITABLE_ORIG_ARGS", r#"{"offline":false,"locked":true,"frozen":false,"config":[]}"#),
];

/// The version that is released.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A processor that releases are made for.
#[derive(Debug)]
pub struct Target {
    /// Debian's name.
    pub debian: &'static str,
    /// The compiler's name.
    pub triple: &'static str,
    /// Name in packages of the RPM kind.
    pub rpm: &'static str,
    /// Name and variant in images of containers.
    pub image: (&'static str, Option<&'static str>),
}

/// All processors.
pub const TARGETS: [Target; 3] = [
    Target { debian: "amd64", triple: "x86_64-unknown-linux-musl", rpm: "x86_64", image: ("amd64", None) },
    Target { debian: "arm64", triple: "aarch64-unknown-linux-musl", rpm: "aarch64", image: ("arm64", None) },
    // Hard float: any Pi since the second.
    Target {
        debian: "armhf",
        triple: "armv7-unknown-linux-musleabihf",
        rpm: "armv7hl",
        image: ("arm", Some("v7")),
    },
];

impl Target {
    /// The one with Debian's name.
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.debian == name)
    }

    /// Name of the release for it.
    pub fn name(&self) -> String {
        format!("cardiograph-{VERSION}-{}", self.triple)
    }

    /// File with the archive, which has one directory with that name.
    pub fn archive(&self) -> String {
        format!("{}.tar.gz", self.name())
    }

    /// File with Debian's package.
    pub fn deb(&self) -> String {
        format!("cardiograph_{}-1_{}.deb", debian_version(), self.debian)
    }

    /// File with the package of the RPM kind.
    pub fn rpm_file(&self) -> String {
        format!("cardiograph-{}-1.{}.rpm", debian_version(), self.rpm)
    }

    /// The one that this program runs on.
    pub fn here() -> Result<&'static Self, String> {
        let mut all = TARGETS.iter();
        let here = all.find(|target| target.triple.starts_with(std::env::consts::ARCH));
        here.ok_or("releases are made on a processor that they are for".into())
    }
}

/// What is asked for.
#[derive(Debug, Default)]
struct Request {
    to: Option<PathBuf>,
    /// Signs the sums.
    key: Option<PathBuf>,
    /// Only compare what two directories give.
    is_twice: bool,
    targets: Vec<&'static Target>,
}

/// Where a release is made, and of which moment its files are.
pub struct Release {
    /// For what is in between.
    pub work: PathBuf,
    /// For what is made.
    pub to: PathBuf,
    /// When the commit was made, in seconds since 1970.
    pub unix_s: u64,
    pub tools: Tools,
    /// What all programs have of others, and on which terms.
    pub licences: String,
}

impl Release {
    /// A command that makes files of the release's time.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SOURCE_DATE_EPOCH", self.unix_s.to_string()).env("TZ", "UTC");
        command
    }
}

/// The version as dpkg and rpm sort it: `1.0.0~rc.1` comes before `1.0.0`.
pub fn debian_version() -> String {
    VERSION.replace('-', "~")
}

/// File with the image for containers.
pub fn image_file() -> String {
    format!("cardiograph-{VERSION}-oci.tar")
}

/// Name of the image.
pub fn image_name() -> String {
    format!("cardiograph:{VERSION}")
}

/// The directory with the files of a release by default.
pub fn default_directory() -> Result<PathBuf, String> {
    Ok(workspace::target_directory()?.join("dist").join(VERSION))
}

/// Makes the release.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let request = arguments(words)?;
    if request.is_twice {
        return twice::run(&request.targets);
    }
    let work = workspace::target_directory()?.join("dist");
    let to = request.to.map_or_else(default_directory, Ok)?;
    std::fs::create_dir_all(&to).map_err(|error| format!("{}: {error}", to.display()))?;
    let (tools, unix_s) = match Tools::have(&work).and_then(|tools| Ok((tools, commit_unix_s()?))) {
        Ok(needed) => needed,
        Err(reason) => {
            println!("NO RELEASE WAS MADE: {reason}");
            return Ok(ExitCode::from(workspace::NOT_RUN));
        }
    };
    let licences = papers::licences(&tools)?;
    let release = Release { work, to, unix_s, tools, licences };
    // Completions are printed by a program that runs here.
    let host = workspace::given_program().map_or_else(|| build(Target::here()?, &release), Ok)?;
    let (mut made, mut programs) = (Vec::new(), Vec::new());
    for target in request.targets {
        println!("{}", target.triple);
        let program = build(target, &release)?;
        let tree = tree::write(&release, target, &program, &host)?;
        made.push(tree.archive(&release, target)?);
        made.push(deb::write(&release, target, &tree)?);
        made.push(rpm::write(&release, target, &tree)?);
        programs.push((target, program));
    }
    made.push(image::write(&release, &programs)?);
    made.push(tree::installer(&release)?);
    made.push(sums::write(&release.to)?);
    if let Some(key) = request.key {
        made.push(sums::sign(&release.to, &key)?);
    }
    made.iter().for_each(|path| println!("{}", path.display()));
    Ok(ExitCode::SUCCESS)
}

/// When the commit was made, in seconds since 1970.
fn commit_unix_s() -> Result<u64, String> {
    let mut git = Command::new("git");
    let text = stdout_of(git.args(["log", "-1", "--format=%ct"]).current_dir(workspace::root()))?;
    text.trim().parse().map_err(|error| format!("git log: '{}': {error}", text.trim()))
}

fn arguments(words: &[&str]) -> Result<Request, String> {
    let mut request = Request::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let mut path = || Ok::<_, String>(Some(PathBuf::from(words.next().ok_or(USAGE)?)));
        match word {
            "--to" => request.to = path()?,
            "--key" => request.key = path()?,
            "--twice" => request.is_twice = true,
            name => request.targets.push(Target::named(name).ok_or(USAGE)?),
        }
    }
    if request.targets.is_empty() {
        request.targets.extend(&TARGETS);
    }
    Ok(request)
}

/// Builds the program for a target, with a list of all that it was built from in itself. Returns its path.
fn build(target: &Target, release: &Release) -> Result<PathBuf, String> {
    let mut build = workspace::cargo();
    build.args(["zigbuild", "--release", "--locked", "--target", target.triple]);
    build.envs(AUDITABLE);
    build.arg("--target-dir").arg(release.work.join("build"));
    // First: its source is one of the places.
    cross::provide_library(&mut build, target.triple)?;
    let places = places()?;
    let name = target.triple.replace('-', "_");
    // Zig brings the C library, and the compiler shall not look for another.
    let mut flags = vec!["-Clink-self-contained=no".to_string()];
    flags.extend(places.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())));
    build.env(format!("CARGO_TARGET_{}_RUSTFLAGS", name.to_uppercase()), flags.join(" "));
    // C code may state when it was compiled: SOURCE_DATE_EPOCH would be the time of the commit that compiled it first.
    let mut c_flags: Vec<String> =
        [r#"-D__DATE__="""#, r#"-D__TIME__="""#, "-Wno-builtin-macro-redefined"].map(str::to_string).to_vec();
    c_flags.extend(places.iter().map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display())));
    build.env(format!("CFLAGS_{name}"), c_flags.join(" "));
    build.env("PATH", release.tools.path());
    let program = workspace::build_with(build)?;
    let sections = stdout_of(Command::new("readelf").args(["--sections", "--wide"]).arg(&program))?;
    match sections.contains(".dep-v0") {
        true => Ok(program),
        false => Err(format!("cargo-auditable put no list of crates into {}", program.display())),
    }
}

/// Directories of this machine, and what they are called in the program: the last that fits is taken.
fn places() -> Result<[(PathBuf, &'static str); 4], String> {
    let home = || std::env::home_dir().map(|home| home.join(".cargo"));
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home);
    let target = workspace::target_directory()?;
    Ok([
        (workspace::root().to_path_buf(), "."),
        (target.clone(), "target"),
        (cross::sources(&target), "library"),
        (cargo.ok_or("no home directory: set CARGO_HOME")?.join("registry/src"), "crates"),
    ]
    .map(|(from, to): (PathBuf, _)| (resolved(&from), to)))
}

/// The path without links, as compilers print it.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_chosen_by_name() {
        let names = |words: &[&str]| {
            arguments(words)
                .map(|request| request.targets.iter().map(|target| target.debian).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap(), ["amd64", "arm64", "armhf"]);
        assert_eq!(names(&["arm64", "--to", "/x"]).unwrap(), ["arm64"]);
        assert_eq!(arguments(&["--to", "/x"]).unwrap().to, Some(PathBuf::from("/x")));
        for wrong in [&["mips"][..], &["--to"], &["--key"], &["x86_64-unknown-linux-musl"]] {
            assert!(arguments(wrong).is_err(), "{wrong:?}");
        }
    }
}
