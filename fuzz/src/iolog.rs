//! Checks of recordings, however broken.

use cardiograph_core::replay::{Recording, RecordingProblem, ReplayRules};
use cardiograph_fio::iolog::{self, IologReader, RecordedStep};
use cardiograph_jobs::value::parse_skip;
use cardiograph_render::lang::Lang;

/// Maximum end of files in bytes.
const END_BYTES_MAX: u64 = i64::MAX as u64;

/// Parses a recording by several rules; what can be parsed is written and parsed again.
pub fn reads(content: &[u8]) {
    let skip = parse_skip("write,sync").expect("these are directions");
    let redirect = Some("x".to_string());
    let changed =
        ReplayRules { no_stall: false, speed_percent: 3, scale: 7, align_bytes: 512, skip, redirect };
    let _ = read(content, &changed);
    let hasty = ReplayRules { no_stall: true, ..ReplayRules::default() };
    if let Ok(steps) = read(content, &hasty) {
        assert!(steps.iter().all(|(_, step)| step.step.gap_ns == 0 && step.step.not_before_ms == 0));
    }
    match read(content, &ReplayRules::default()) {
        Ok(steps) => is_written_as_it_was_read(&steps),
        Err(problem) => {
            let what = Lang::EN.text(&problem.what);
            assert!(!what.is_empty() && !what.contains(char::is_control), "{problem:?}");
            let lines = content.split(|byte| *byte == b'\n').count() as u64;
            assert!(problem.line.is_none_or(|line| (1..=lines).contains(&line)), "{problem:?}");
        }
    }
}

fn read(content: &[u8], rules: &ReplayRules) -> Result<Vec<(String, RecordedStep)>, RecordingProblem> {
    let mut reader = IologReader::new(rules.clone());
    let (mut recording, mut steps) = (Recording::default(), Vec::new());
    for line in content.split(|byte| *byte == b'\n') {
        if let Some(step) = reader.line(line)? {
            let name = reader.name(step.step.file).to_string();
            assert!(!name.is_empty());
            recording.add(&step.step, &name, step.took_ns);
            steps.push((name, step));
        }
    }
    reader.end()?;
    assert!(recording.files.iter().all(|file| !file.name.is_empty() && file.end_bytes <= END_BYTES_MAX));
    let ios: u64 = recording.recorded.directions.iter().map(|(_, direction)| direction.ios).sum();
    assert_eq!(ios, steps.len() as u64);
    Ok(steps)
}

fn is_written_as_it_was_read(steps: &[(String, RecordedStep)]) {
    let mut text = format!("{}\n", iolog::HEADER).into_bytes();
    for (name, _) in steps {
        iolog::write_file(&mut text, 0, name, "add");
        iolog::write_file(&mut text, 0, name, "open");
    }
    for (name, step) in steps {
        assert!(iolog::unwritable(name).is_none(), "{name}");
        iolog::write_io(&mut text, step.at_ns, name, &step.step, step.took_ns.unwrap_or(0));
    }
    let again = read(text.strip_suffix(b"\n").unwrap_or(&text), &ReplayRules::default());
    let again = again.unwrap_or_else(|problem| panic!("{problem:?}"));
    let what = |steps: &[(String, RecordedStep)]| {
        let what = |(name, RecordedStep { step, .. }): &(String, RecordedStep)| {
            (name.clone(), step.action, step.offset_bytes, step.len_bytes)
        };
        steps.iter().map(what).collect::<Vec<_>>()
    };
    assert_eq!(what(steps), what(&again));
}
