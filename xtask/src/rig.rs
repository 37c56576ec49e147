//! `cargo xtask rig`: runs the program in an emulated machine with hardware that this one lacks.
//!
//! QEMU boots Debian's kernel with a memory card, an NVMe drive, and disks behind virtio, SATA and USB. The
//! guest creates arrays, mappings and file systems on them, runs the program, and reports its output, which
//! is compared with expectations. Nothing is installed: the guest's kernel and programs are downloaded with
//! apt once and unpacked below the target directory.
//!
//! A scene (`scenes.rs`) is a state of the machine, with probes. Scripts and expectations are defined there;
//! `guest.sh` knows neither.

mod arch;
mod archive;
mod expect;
mod machine;
mod modules;
mod packages;
mod report;
mod scenes;

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use arch::{ARCHES, Arch};
use archive::Archive;
use expect::Said;
use machine::Machine;
use packages::Packages;
use report::Report;
use scenes::Scene;

use crate::{cross, workspace};

const USAGE: &str = "Usage: cargo xtask rig [SCENE...] [--arch amd64|arm64] [--kernel RELEASE] [--program FILE] [--list]; \
     see --list for the scenes; RELEASE is a Debian, such as bullseye";
/// Time limit of the guest.
const TIME_MAX: Duration = Duration::from_secs(20 * 60);
/// Lines shown of a long text.
const SHOWN_LINES: usize = 15;

/// Runs the rig.
pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let arguments = arguments(words)?;
    if arguments.list {
        scenes::all().for_each(|scene| println!("{:<14} {}", scene.name, scene.title));
        return Ok(ExitCode::SUCCESS);
    }
    let arch = arguments.arch;
    let directory = workspace::target_directory()?.join("rig").join(arch.name);
    let packages = match check_requirements(arch, arguments.program.is_none())
        .and_then(|()| packages::have(arch, &directory, arguments.kernel))
    {
        Ok(packages) => packages,
        Err(reason) => return Ok(not_run(arch, &reason)),
    };
    let program = match arguments.program {
        Some(program) => PathBuf::from(program),
        None => match build(arch)? {
            Ok(program) => program,
            Err(reason) => return Ok(not_run(arch, &reason)),
        },
    };
    let archive = directory.join("first-files.cpio");
    write_archive(&archive, &packages, &program, &arguments.scenes)
        .map_err(|error| format!("{}: {error}", archive.display()))?;
    let machine = Machine { arch, kernel: &packages.kernel, archive: &archive, directory: &directory };
    println!("booting Linux {} for {}, at most {} min", packages.release, arch.name, TIME_MAX.as_secs() / 60);
    let start = Instant::now();
    let outcome = machine.run(TIME_MAX);
    let text = fs::read(machine.report()).unwrap_or_default();
    let report = report::parse(&String::from_utf8_lossy(&text));
    let failures = print_outcomes(&report, &arguments.scenes);
    println!("{} s, report: {}", start.elapsed().as_secs(), machine.report().display());
    let ended = outcome.err().or((!report.finished).then(|| "the guest ended before its script".to_string()));
    if let Some(reason) = &ended {
        let console = fs::read(machine.console()).unwrap_or_default();
        println!(
            "{reason}; the last lines of the console:\n{}",
            last_lines(&String::from_utf8_lossy(&console))
        );
    }
    match failures {
        0 if ended.is_none() => Ok(ExitCode::SUCCESS),
        0 => Ok(ExitCode::from(1)),
        failures => {
            println!("{failures} failed");
            Ok(ExitCode::from(1))
        }
    }
}

struct Arguments<'w> {
    arch: &'static Arch,
    program: Option<&'w str>,
    /// The Debian whose kernel is booted, if not this machine's.
    kernel: Option<&'w str>,
    list: bool,
    scenes: Vec<&'static Scene>,
}

fn arguments<'w>(words: &[&'w str]) -> Result<Arguments<'w>, String> {
    let mut arguments =
        Arguments { arch: &ARCHES[0], program: None, kernel: None, list: false, scenes: Vec::new() };
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "--arch" => arguments.arch = words.next().and_then(|name| Arch::named(name)).ok_or(USAGE)?,
            "--program" => arguments.program = Some(words.next().ok_or(USAGE)?),
            "--kernel" => arguments.kernel = Some(words.next().ok_or(USAGE)?),
            "--list" => arguments.list = true,
            name => arguments.scenes.push(scenes::all().find(|scene| scene.name == name).ok_or(USAGE)?),
        }
    }
    if arguments.scenes.is_empty() {
        arguments.scenes = scenes::all().collect();
    }
    Ok(arguments)
}

fn not_run(arch: &Arch, reason: &str) -> ExitCode {
    println!("THE RIG WAS NOT RUN for {}: {reason}", arch.name);
    ExitCode::from(workspace::NOT_RUN)
}

/// Fails with the missing requirements of the rig, and the packages that provide them; with those of a build, if it builds.
fn check_requirements(arch: &Arch, builds: bool) -> Result<(), String> {
    let needed = [(arch.emulator, arch.emulator_package), ("apt-get", "apt"), ("dpkg-deb", "dpkg")];
    let mut lacking = Vec::new();
    for (program, package) in needed {
        if !has_program(program) {
            lacking.push(format!("{program} is missing (apt-get install {package})"));
        }
    }
    if let Some((linker, packages)) = arch.linker.filter(|(linker, _)| builds && !has_program(linker)) {
        lacking.push(format!("{linker} is missing (apt-get install {})", packages.join(" ")));
    }
    if lacking.is_empty() { Ok(()) } else { Err(lacking.join("; ")) }
}

fn has_program(name: &str) -> bool {
    Command::new(name).arg("--version").output().is_ok()
}

/// Builds the program statically, with the checks of debug builds. The inner error is the reason why it
/// cannot be built here.
fn build(arch: &Arch) -> Result<Result<PathBuf, String>, String> {
    let mut build = workspace::cargo();
    build.args(["build", "--profile", "rig", "--no-default-features", "--target", arch.target]);
    build.env("RUSTFLAGS", "-Ctarget-feature=+crt-static");
    if let Some((linker, _)) = arch.linker {
        let variable = format!("CARGO_TARGET_{}_LINKER", arch.target.to_uppercase().replace('-', "_"));
        build.env(variable, linker);
    }
    if let Err(reason) = cross::provide_library(&mut build, arch.target) {
        return Ok(Err(reason));
    }
    workspace::build_with(build).map(Ok)
}

/// Writes the guest's initramfs: Debian's programs, the modules, the program, the scenes, the script.
fn write_archive(
    path: &Path,
    packages: &Packages,
    program: &Path,
    scenes: &[&Scene],
) -> Result<(), Box<dyn std::error::Error>> {
    let mut archive = Archive::new(BufWriter::new(File::create(path)?));
    archive.tree(&packages.programs, &|path| {
        !["usr/share/", "usr/lib/systemd/", "lib/systemd/", "etc/", "var/"]
            .iter()
            .any(|left| path.starts_with(left))
            && !path.contains("/gconv/")
    })?;
    for directory in ["rig", "rig/bin", "rig/modules", "rig/scenes"] {
        archive.directory(directory)?;
    }
    archive.file("init", 0o755, include_bytes!("rig/guest.sh"))?;
    archive.file("rig/bin/cardiograph", 0o755, &fs::read(program)?)?;
    archive.file("rig/marks", 0o644, machine::marks().as_bytes())?;
    let mut order = String::new();
    for module in modules::in_order(&packages.modules)? {
        let name = module.path.file_name().unwrap_or_default().to_string_lossy();
        order.push_str(&format!("{name} {}\n", module.parameters));
        archive.file(&format!("rig/modules/{name}"), 0o644, &fs::read(&module.path)?)?;
    }
    archive.file("rig/modules/order", 0o644, order.as_bytes())?;
    for (number, scene) in scenes.iter().enumerate() {
        let directory = format!("rig/scenes/{number:02}");
        archive.directory(&directory)?;
        for (name, content) in
            [("name", scene.name), ("set_up", scene.set_up), ("tear_down", scene.tear_down)]
        {
            archive.file(&format!("{directory}/{name}"), 0o644, content.as_bytes())?;
        }
        for (number, probe) in scene.probes.iter().enumerate() {
            let path = format!("{directory}/probe-{number:02}-{}", probe.name);
            archive.file(&path, 0o644, probe.script.as_bytes())?;
        }
    }
    Ok(archive.finish()?)
}

/// Prints the result of each script, and returns how many failed.
fn print_outcomes(report: &Report, scenes: &[&Scene]) -> usize {
    let mut failures = 0;
    let mut judge = |name: String, exit: i32, expected: &[expect::Expect], script: &str| {
        let missing = Said::default();
        let said = report.said.get(&name).unwrap_or(&missing);
        let differences = expect::differences(said, exit, expected);
        if differences.is_empty() {
            println!("ok      {name}");
            return true;
        }
        failures += 1;
        println!("FAILED  {name}");
        differences.iter().for_each(|line| println!("        {line}"));
        println!("        script: {}", script.trim().replace('\n', "\n                "));
        if !said.err.is_empty() {
            println!("        standard error:\n{}", last_lines(&said.err));
        }
        false
    };
    judge("setup machine".into(), 0, &[], "(guest.sh: modules and disks)");
    for scene in scenes {
        if !judge(format!("setup {}", scene.name), 0, &[], scene.set_up) {
            continue;
        }
        for probe in scene.probes {
            judge(format!("probe {}/{}", scene.name, probe.name), probe.exit, probe.expect, probe.script);
        }
    }
    failures
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    shown.iter().map(|line| format!("          {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_command() {
        let all = arguments(&[]).unwrap();
        assert_eq!((all.arch.name, all.program, all.list), ("amd64", None, false));
        assert_eq!(all.scenes.len(), scenes::all().count());
        let first = scenes::all().next().unwrap().name;
        let some = arguments(&[first, "--arch", "arm64", "--program", "/x", "--list"]).unwrap();
        assert_eq!(
            (some.arch.name, some.program, some.list, some.scenes.len()),
            ("arm64", Some("/x"), true, 1)
        );
        for wrong in [&["no-such-scene"][..], &["--arch"], &["--arch", "mips"], &["--program"], &["--frob"]] {
            assert!(arguments(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_report_without_a_requested_scene_fails() {
        let scenes: Vec<&Scene> = scenes::all().take(1).collect();
        assert_eq!(print_outcomes(&report::parse(""), &scenes), 2);
        assert_eq!(print_outcomes(&report::parse("setup machine\nexit 0\n"), &scenes), 1);
    }

    #[test]
    fn a_missing_program_is_named_with_its_package() {
        assert!(!has_program("no-such-program-of-the-rig"));
        let arch = Arch {
            emulator: "no-such-emulator",
            emulator_package: "that-package",
            ..Arch::clone(&ARCHES[0])
        };
        let reason = check_requirements(&arch, true).unwrap_err();
        assert!(reason.contains("no-such-emulator is missing (apt-get install that-package)"), "{reason}");
    }

    #[test]
    fn the_end_of_a_long_text_is_shown() {
        let text: String = (0..100).map(|line| format!("{line}\n\n")).collect();
        let shown = last_lines(&text);
        assert_eq!(shown.lines().count(), SHOWN_LINES);
        assert!(shown.ends_with("99"));
    }
}
