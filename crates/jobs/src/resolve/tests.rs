//! Options and the resulting Plans.

use cardiograph_core::plan::{EndCondition, EndScope, StartAfter, StartCondition};
use cardiograph_core::workload::{BlockLen, FileAction, Order, StopWhen, Workload, WriteThrough};
use cardiograph_core::{GIB, MIB, NS_PER_S};

use super::*;

const CONTEXT: ResolveContext<'static> = ResolveContext::new(1, 100_000_000);

fn spec(settings: &[(&str, &str)]) -> JobSpec {
    let origin = Origin::CommandLine { word: 1 };
    settings.iter().fold(JobSpec::new("job", origin), |spec, (option, value)| spec.set(option, value))
}

fn planned(settings: &[(&str, &str)]) -> PlannedJob {
    resolve(&[spec(settings)], &CONTEXT).unwrap().jobs.remove(0)
}

fn one(settings: &[(&str, &str)]) -> Workload {
    planned(settings).workload
}

fn problems(settings: &[(&str, &str)]) -> Vec<Problem> {
    resolve(&[spec(settings)], &CONTEXT).unwrap_err().into_iter().map(|d| d.problem).collect()
}

#[test]
fn seed_000_sustained_write() {
    let job = planned(&[
        ("size", "3G"),
        ("bs", "1M"),
        ("rw", "write"),
        ("direct", "1"),
        ("time_based", "1"),
        ("runtime", "120"),
        ("iodepth", "2"),
    ]);
    let workload = &job.workload;
    assert_eq!(job.clones[0][0].region_len_bytes, 3 * GIB);
    assert_eq!(workload.stop, StopWhen { bytes: None, time_ns: Some(120 * NS_PER_S), ios: None });
    assert_eq!(workload.block_len.write, BlockLen::Fixed { len_bytes: MIB });
    assert_eq!((workload.depth, workload.direct), (2, true));
    assert!(workload.is_modifying());
}

#[test]
fn without_time_based_the_region_is_covered_once() {
    let workload = one(&[("size", "200M"), ("rw", "readwrite"), ("runtime", "10")]);
    assert_eq!(workload.stop, StopWhen { bytes: Some(200 * MIB), time_ns: Some(10 * NS_PER_S), ios: None });
    assert_eq!(workload.read_percent, 50);
    assert_eq!(one(&[("size", "1M"), ("io_size", "8M")]).stop.bytes, Some(8 * MIB));
}

#[test]
fn a_file_handled_as_a_whole_is_one_io() {
    let handled = |engine: &str, rw: &str| {
        planned(&[("ioengine", engine), ("rw", rw), ("nrfiles", "5"), ("filesize", "16k"), ("loops", "2")])
    };
    for (engine, action, is_modifying) in [
        ("filecreate", FileAction::Create, true),
        ("filestat", FileAction::Stat, false),
        ("filedelete", FileAction::Delete, true),
    ] {
        for rw in ["read", "write", "randread"] {
            let PlannedJob { workload, clones, .. } = handled(engine, rw);
            assert_eq!(workload.file_action, Some(action));
            // In any direction.
            assert_eq!(workload.is_modifying(), is_modifying, "{engine} {rw}");
            assert_eq!(workload.stop.bytes, Some(2 * 5 * 4_096));
            let file = &clones[0][4];
            assert_eq!((file.region_len_bytes, workload.drawn_part(file).region_len_bytes), (16_384, 4_096));
        }
    }
    // Calls on parts of files have an offset for each I/O.
    for (engine, rw, action) in
        [("falloc", "read", FileAction::Allocate), ("ftruncate", "write", FileAction::Truncate)]
    {
        let PlannedJob { workload, clones, .. } = handled(engine, rw);
        assert_eq!((workload.file_action, workload.is_modifying()), (Some(action), true));
        assert_eq!(workload.drawn_part(&clones[0][4]).region_len_bytes, 16_384);
        assert_eq!(workload.stop.bytes, Some(2 * 5 * 16_384));
    }
    assert_eq!(one(&[("size", "1M")]).file_action, None);
    // Files that are only created need no length.
    assert_eq!(one(&[("ioengine", "filecreate"), ("nrfiles", "3")]).stop.bytes, Some(3 * 4_096));
    assert_eq!(problems(&[("ioengine", "filedelete"), ("nrfiles", "3")]), [Problem::SizeMissing]);
    let workload = one(&[("ioengine", "filestat"), ("size", "1M"), ("direct", "1"), ("sync", "1")]);
    assert_eq!((workload.direct, workload.write_through), (false, WriteThrough::None));
}

#[test]
fn files_are_renewed_in_each_loop_but_the_first() {
    let renews = |settings: &[(&str, &str)]| {
        let wanted = [("size", "64k"), ("rw", "write"), ("unlink_each_loop", "1")];
        let workload = one(&[&wanted[..], settings].concat());
        (workload.renew_every_bytes, workload.files.unlink)
    };
    assert_eq!(renews(&[]), (None, false));
    assert_eq!(renews(&[("loops", "2")]), (Some(65_536), false));
    assert_eq!(renews(&[("loops", "3"), ("io_size", "16k")]), (Some(16_384), false));
    assert_eq!(renews(&[("loops", "2"), ("time_based", "1"), ("runtime", "1")]), (None, true));
    assert_eq!(renews(&[("loops", "2"), ("unlink_each_loop", "0")]), (None, false));
}

#[test]
fn a_mix_without_writes_verifies_nothing() {
    let has_checks = |rw: &str, share: &str| {
        one(&[("size", "1M"), ("rw", rw), ("rwmixwrite", share), ("verify", "crc32c")]).verify.is_some()
    };
    assert!(!has_checks("randrw", "0") && !has_checks("rw", "0"));
    assert!(has_checks("randrw", "1") && has_checks("randread", "0") && has_checks("write", "0"));
}

#[test]
fn disabled_latencies_have_no_percentiles() {
    let shown = |settings: &[(&str, &str)]| {
        let all = [("size", "1M"), ("lat_percentiles", "1"), ("slat_percentiles", "1")];
        let resolved = resolve_all(&[spec(&[&all, settings].concat())], &CONTEXT).unwrap();
        let display = &resolved.displays[0];
        (display.slat_percentiles, display.clat_percentiles, display.lat_percentiles)
    };
    assert_eq!(shown(&[]), (true, true, true));
    assert_eq!(shown(&[("disable_clat", "1")]), (true, false, true));
    assert_eq!(shown(&[("disable_slat", "1"), ("disable_lat", "1")]), (false, true, false));
    assert_eq!(shown(&[("gtod_reduce", "1")]), (false, false, false));
}

#[test]
fn orders_and_mixes() {
    assert_eq!(one(&[("size", "1M"), ("rw", "randread")]).order, Order::RandomUnique);
    assert_eq!(one(&[("size", "1M"), ("rw", "randread"), ("norandommap", "")]).order, Order::RandomRepeating);
    assert_eq!(one(&[("size", "1M"), ("rw", "randrw"), ("rwmixwrite", "30")]).read_percent, 70);
    assert_eq!(one(&[("size", "1M"), ("rw", "read"), ("rwmixread", "30")]).read_percent, 100);
}

#[test]
fn block_lengths_per_direction() {
    let lens = one(&[("size", "1M"), ("rw", "rw"), ("blocksize", "4k,8k")]).block_len;
    assert_eq!([lens.read, lens.write, lens.trim].map(|len| len.max_bytes()), [4_096, 8_192, 8_192]);
}

#[test]
fn the_last_setting_wins_under_any_of_its_names() {
    assert_eq!(one(&[("size", "1M"), ("bs", "4k"), ("blocksize", "8k")]).block_len.read.max_bytes(), 8_192);
}

#[test]
fn buffered_and_direct_are_one_setting() {
    assert!(!one(&[("size", "1M"), ("buffered", "1")]).direct);
    assert!(one(&[("size", "1M"), ("buffered", "0")]).direct);
    assert!(
        !one(&[("size", "1M"), ("direct", "1"), ("buffered", "1")]).direct,
        "what was written later counts"
    );
    assert!(one(&[("size", "1M"), ("buffered", "1"), ("direct", "1")]).direct);
}

#[test]
fn all_problems_are_found_at_once() {
    let found = problems(&[("size", "4_000"), ("rw", "raed"), ("runtime", "5x"), ("blok", "1")]);
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found.contains(&Problem::UnknownOption));
    assert!(found.contains(&Problem::BadValue(ValueError::UnknownUnit("_000".into()))));
    assert!(found.contains(&Problem::BadValue(ValueError::UnknownUnit("x".into()))));
}

#[test]
fn missing_and_insufficient_settings_are_reported() {
    assert_eq!(problems(&[("rw", "read")]), [Problem::SizeMissing]);
    let resolved = resolve_all(&[spec(&[("size", "1M"), ("time_based", "1")])], &CONTEXT).unwrap();
    assert_eq!(resolved.plan.jobs[0].workload.stop.bytes, Some(MIB));
    assert_eq!(resolved.remarks[0].why, message!("jobs-remark.needs-runtime"));
    let small = Problem::RegionTooSmall { region_len_bytes: 512, block_len_bytes: 4_096 };
    assert_eq!(problems(&[("size", "512")]), [small]);
    assert_eq!(problems(&[("size", "1M"), ("bs", "0")]), [Problem::BlockEmpty]);
    let outside = |max| [Problem::BadValue(ValueError::OutOfRange { min: 1, max })];
    assert_eq!(problems(&[("size", "8G"), ("bs", "2G")]), outside(1 << 30));
    assert_eq!(problems(&[("size", "15E"), ("bs", "1")]), outside(i64::MAX as u64));
    assert_eq!(problems(&[("size", "7E"), ("offset", "7E")]), outside(i64::MAX as u64));
}

#[test]
fn start_and_end_conditions() {
    let origin = Origin::CommandLine { word: 1 };
    let job = |name: &str| JobSpec::new(name, origin.clone()).set("size", "1M");
    let plan = resolve(
        &[
            job("a").set("exitall", "1"),
            job("b").set("startdelay", "2"),
            job("c").set("stonewall", ""),
            job("d").set("wait_for", "b"),
        ],
        &CONTEXT,
    )
    .unwrap();
    let starts: Vec<_> = plan.jobs.iter().map(|job| job.start).collect();
    assert_eq!(
        starts,
        [
            StartCondition::default(),
            StartCondition { after: StartAfter::Nothing, delay_ns: 2 * NS_PER_S, spread_ns: 0 },
            StartCondition { after: StartAfter::AllBefore, delay_ns: 0, spread_ns: 0 },
            StartCondition { after: StartAfter::Job { job: 1 }, delay_ns: 0, spread_ns: 0 },
        ]
    );
    assert_eq!(plan.jobs[0].end, EndCondition { others: Some(EndScope::Group), others_on_error: None });
    assert_eq!(plan.jobs[3].end, EndCondition::default());
    assert_eq!(plan.jobs.iter().map(|job| job.group).collect::<Vec<_>>(), [0, 0, 1, 1]);
    assert_eq!(
        resolve(&[job("a").set("wait_for", "z")], &CONTEXT).unwrap_err()[0].problem,
        Problem::NoSuchJob
    );
}

#[test]
fn seeds_repeat_or_follow_the_run() {
    let seed = |settings: &[(&str, &str)], run_seed| {
        let context = ResolveContext { run_seed, ..CONTEXT };
        resolve(&[spec(settings)], &context).unwrap().jobs[0].workload.seed
    };
    assert_eq!(seed(&[("size", "1M")], 1), seed(&[("size", "1M")], 2));
    let fresh = [("size", "1M"), ("randrepeat", "0")];
    assert_ne!(seed(&fresh, 1), seed(&fresh, 2));
}

#[test]
fn jobs_with_the_same_file_share_a_target() {
    let origin = Origin::CommandLine { word: 1 };
    let job =
        |name: &str, file: &str| JobSpec::new(name, origin.clone()).set("size", "1M").set("filename", file);
    let plan = resolve(&[job("a", "x"), job("b", "y"), job("c", "x")], &CONTEXT).unwrap();
    assert_eq!(plan.targets, ["x", "y"]);
    assert_eq!(plan.jobs[2].clones[0][0].target, 0);
}

/// A machine with a file of 8 MiB, a device of 1 GiB and a directory.
struct Machine;

impl Surroundings for Machine {
    fn file(&self, path: &str) -> FileFacts {
        match path {
            "file" => FileFacts::File { len_bytes: 8 * MIB },
            "/dev/card" => FileFacts::Device { len_bytes: GIB },
            "dir" => FileFacts::Other { what: "a directory" },
            _ => FileFacts::Missing,
        }
    }
}

/// Name, offset and length in MiB of each file of each clone.
type Regions = Vec<Vec<(String, u64, u64)>>;

fn on_machine(settings: &[(&str, &str)]) -> Result<Regions, Vec<Problem>> {
    let context = ResolveContext { surroundings: &Machine, ..CONTEXT };
    let plan = resolve(&[spec(settings)], &context)
        .map_err(|found| found.into_iter().map(|diagnostic| diagnostic.problem).collect::<Vec<_>>())?;
    let shown = |file: &cardiograph_core::FileUse| {
        (plan.targets[file.target].clone(), file.offset_bytes / MIB, file.region_len_bytes / MIB)
    };
    Ok(plan.jobs[0].clones.iter().map(|files| files.iter().map(shown).collect()).collect())
}

#[test]
fn clones_have_separate_files_unless_they_are_named() {
    let named = |settings: &[(&str, &str)]| -> Vec<Vec<String>> {
        let clones = on_machine(settings).unwrap();
        clones.into_iter().map(|files| files.into_iter().map(|(name, ..)| name).collect()).collect()
    };
    let size = ("size", "8M");
    assert_eq!(named(&[size, ("numjobs", "2")]), [["job.0.0"], ["job.1.0"]]);
    assert_eq!(named(&[size, ("nrfiles", "2")]), [["job.0.0", "job.0.1"]]);
    assert_eq!(named(&[size, ("numjobs", "2"), ("filename", "x")]), [["x"], ["x"]]);
    assert_eq!(named(&[size, ("filename", r"a:b\:c")]), [["a", "b:c"]]);
    assert_eq!(
        named(&[size, ("numjobs", "3"), ("directory", "/a:/b/")]),
        [["/a/job.0.0"], ["/b/job.1.0"], ["/a/job.2.0"]]
    );
    assert_eq!(
        named(&[size, ("numjobs", "2"), ("directory", "/a:/b"), ("filename", "x")]),
        [["/a/x"], ["/a/x"]]
    );
    assert_eq!(named(&[size, ("filename_format", "f.$filenum.$jobnum-$jobname")]), [["f.0.0-job"]]);
}

/// Default names match fio's.
#[test]
fn files_are_called_after_their_section_and_a_device_by_its_name() {
    let context = ResolveContext { surroundings: &Machine, ..CONTEXT };
    for (section, name, settings, expected) in [
        (None, "a/b", [].as_slice(), "a/b.0.0"),
        (None, "/mnt/b", &[], "/mnt/b.0.0"),
        (None, "../b", &[("directory", "/a")], "/a/../b.0.0"),
        (Some("s/t"), "n", &[], "s/t.0.0"),
        (Some("s"), "n", &[("filename_format", "$jobname.f")], "s.f"),
        (None, "/dev/card", &[], "/dev/card"),
        (Some("/dev/card"), "n", &[("filename_format", "$jobname.f")], "/dev/card"),
        (None, "/dev/card", &[("nrfiles", "2")], "/dev/card.0.0"),
        (Some("s"), "/dev/card", &[], "s.0.0"),
        (None, "file", &[], "file.0.0"),
    ] {
        let spec = JobSpec { section: section.map(str::to_string), name: name.to_string(), ..spec(settings) };
        let plan = resolve(&[spec.set("size", "8M")], &context).unwrap();
        assert_eq!(
            plan.targets[plan.jobs[0].clones[0][0].target], expected,
            "{section:?} {name} {settings:?}"
        );
    }
}

#[test]
fn regions_follow_from_lengths_offsets_and_existing_files() {
    let region = |settings: &[(&str, &str)]| {
        on_machine(settings).map(|clones| {
            clones.into_iter().flatten().map(|(_, offset, len)| (offset, len)).collect::<Vec<_>>()
        })
    };
    let file = ("filename", "file");
    let card = ("filename", "/dev/card");
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a [(u64, u64)]);
    let cases: [Case<'_>; 14] = [
        (&[file], &[(0, 8)]),
        (&[file, ("size", "50%")], &[(0, 4)]),
        (&[file, ("size", "20M")], &[(0, 20)]),
        (&[file, ("offset", "2M")], &[(2, 6)]),
        (&[file, ("offset", "25%"), ("size", "2M")], &[(2, 2)]),
        (&[card], &[(0, 1_024)]),
        (&[card, ("offset", "1000M"), ("size", "100M")], &[(1_000, 24)]),
        (&[("size", "8M"), ("offset", "4M")], &[(4, 8)]),
        (&[("size", "8M"), ("numjobs", "3"), ("offset_increment", "8M")], &[(0, 8), (8, 8), (16, 8)]),
        (&[("size", "9M"), ("bs", "1M"), ("nrfiles", "2")], &[(0, 4), (0, 4)]),
        (&[("filesize", "4M"), ("nrfiles", "2")], &[(0, 4), (0, 4)]),
        (&[("filesize", "4M"), ("offset", "1M")], &[(1, 3)]),
        (&[file, ("offset", "3M"), ("offset_align", "2M"), ("size", "1M")], &[(3, 1)]),
        (&[file, ("offset", "30%"), ("offset_align", "1M"), ("size", "1M")], &[(3, 1)]),
    ];
    for (settings, expected) in cases {
        assert_eq!(region(settings).as_deref(), Ok(expected), "{settings:?}");
    }
    assert_eq!(region(&[]), Err(vec![Problem::SizeMissing]));
    let behind = Problem::BehindTheEnd { offset_bytes: 2 * GIB, len_bytes: GIB };
    assert_eq!(region(&[card, ("offset", "2G")]), Err(vec![behind]));
    let not_a_file = Problem::NotAFile { path: "dir".to_string(), what: "a directory" };
    assert_eq!(region(&[("filename", "dir"), ("size", "1M")]), Err(vec![not_a_file]));
    let missing = Problem::FileMissing { path: "job.0.0".to_string() };
    assert_eq!(region(&[("size", "1M"), ("allow_file_create", "0")]), Err(vec![missing]));
}

#[test]
fn files_of_a_range_of_lengths_are_drawn_in_whole_blocks() {
    let context = ResolveContext { surroundings: &Machine, ..CONTEXT };
    let settings = [("filesize", "100k-900k"), ("nrfiles", "50"), ("bs", "4k")];
    let plan = resolve(&[spec(&settings)], &context).unwrap();
    let lens: Vec<u64> = plan.jobs[0].files().map(|file| file.region_len_bytes).collect();
    assert!(lens.iter().all(|len| (96 << 10..=900 << 10).contains(len) && len % 4_096 == 0), "{lens:?}");
    assert!(lens.iter().max().unwrap() - lens.iter().min().unwrap() > 400 << 10, "{lens:?}");
    assert_eq!(plan.jobs[0].workload.stop.bytes, Some(lens.iter().sum()));
}

#[test]
fn a_job_moves_whole_blocks_once() {
    let bytes = |settings: &[(&str, &str)]| one(settings).stop.bytes.unwrap() >> 10;
    assert_eq!(bytes(&[("size", "10k")]), 8);
    assert_eq!(bytes(&[("size", "10k"), ("loops", "2")]), 16);
    // Files whose total length overflows.
    let longest = [("ioengine", "null"), ("nrfiles", "3"), ("filesize", "8000000000000000000")];
    let checked = [("rw", "write"), ("verify", "crc32c"), ("io_size", "1m")];
    assert_eq!(bytes(&[longest, checked].concat()), 1_024);
    // No whole I/O is left.
    assert_eq!(bytes(&[("size", "10k"), ("io_size", "10k")]), 8);
    // Three files of 13.3 KiB.
    assert_eq!(bytes(&[("size", "40k"), ("nrfiles", "3")]), 36);
    // The remainder of a division is distributed in blocks.
    assert_eq!(one(&[("size", "1027"), ("bs", "1"), ("nrfiles", "4")]).stop.bytes, Some(1_027));
    // Files longer than the I/O.
    let longer = ("filesize", "64k");
    assert_eq!(bytes(&[longer, ("nrfiles", "2")]), 128);
    assert_eq!(bytes(&[longer, ("nrfiles", "2"), ("size", "20k")]), 20);
    assert_eq!(bytes(&[longer, ("size", "1M")]), 64);
    let small = Problem::RegionTooSmall { region_len_bytes: 2_048, block_len_bytes: 4_096 };
    assert_eq!(problems(&[longer, ("size", "2k")]), [small]);
}

#[test]
fn an_end_in_percent_in_loops_and_by_count() {
    let stop = |settings: &[(&str, &str)]| one(settings).stop;
    assert_eq!(stop(&[("size", "8M"), ("io_size", "50%")]).bytes, Some(4 * MIB));
    // The last of varying lengths is truncated, but not to nothing if it is the only one.
    let varied = |io_size| stop(&[("size", "8M"), ("bsrange", "4k-64k"), ("io_size", io_size)]).bytes;
    assert_eq!((varied("2k"), varied("6k")), (Some(4_096), Some(6_144)));
    assert_eq!(stop(&[("size", "8M"), ("loops", "3")]).bytes, Some(24 * MIB));
    assert_eq!(stop(&[("size", "8M"), ("number_ios", "5")]).ios, Some(5));
}

#[test]
fn too_many_files_are_refused_before_they_are_named() {
    let too_many = vec![Problem::TooManyFiles { max: 1 << 18 }];
    for settings in [
        &[("size", "1M"), ("nrfiles", "18446744073709551615")][..],
        &[("size", "1M"), ("nrfiles", "262145")],
        &[("filesize", "4k"), ("nrfiles", "1025"), ("numjobs", "256")],
    ] {
        assert_eq!(problems(settings), too_many, "{settings:?}");
    }
    assert_eq!(planned(&[("filesize", "4k"), ("nrfiles", "1024"), ("numjobs", "4")]).clones.len(), 4);
    // All jobs together.
    let jobs =
        |count: usize| vec![spec(&[("filesize", "4k"), ("nrfiles", "1024"), ("numjobs", "128")]); count];
    assert!(resolve(&jobs(2), &CONTEXT).is_ok());
    assert_eq!(resolve(&jobs(3), &CONTEXT).unwrap_err()[0].problem, too_many[0]);
}

#[test]
fn the_number_of_problems_and_remarks_is_limited() {
    let origin = |line| Origin::File { path: "x".to_string(), line, column: 1 };
    let job = |line: u32, option: &str, value: &str| {
        JobSpec::new("job", origin(line)).set("size", "1M").set(option, value)
    };
    let wrong: Vec<JobSpec> = (0..1_500).map(|line| job(line, "bs", "4_000")).collect();
    assert_eq!(resolve(&wrong, &CONTEXT).unwrap_err().len(), DIAGNOSTICS_MAX);
    let noted: Vec<JobSpec> = (0..1_500).map(|line| job(line, "thread", "")).collect();
    assert_eq!(resolve_all(&noted, &CONTEXT).unwrap().remarks.len(), REMARKS_MAX);
}

#[test]
fn a_batch_of_zero_is_the_depth() {
    let submit = |batch: &str| {
        one(&[("size", "1M"), ("ioengine", "libaio"), ("iodepth", "16"), ("iodepth_batch", batch)])
            .batching
            .submit
    };
    assert_eq!(["0", "1", "8", "99"].map(submit), [Some(16), Some(1), Some(8), Some(16)]);
    assert_eq!(one(&[("size", "1M"), ("iodepth", "16")]).batching.submit, None);
}

#[test]
fn a_window_alone_selects_the_default_steady_state() {
    let steady = one(&[("size", "1M"), ("ss_dur", "10")]).steady_state.unwrap();
    assert_eq!((steady.by_slope, steady.limit, steady.limit_is_percent), (true, 0.01, true));
    assert_eq!(one(&[("size", "1M"), ("ss", "iops:1%")]).steady_state, None);
    assert_eq!(one(&[("size", "1M")]).steady_state, None);
}

#[test]
fn minimum_rates_do_not_exceed_maximum_rates() {
    let beyond = |max| vec![Problem::BadValue(crate::value::ValueError::OutOfRange { min: 0, max })];
    assert_eq!(problems(&[("size", "1M"), ("rate", "1k"), ("rate_min", "2k")]), beyond(1_024));
    assert_eq!(problems(&[("size", "1M"), ("rate_iops", "10,20"), ("rate_iops_min", "10,21")]), beyond(20));
    one(&[("size", "1M"), ("rate", "1k"), ("rate_min", "1k")]);
    one(&[("size", "1M"), ("rate_min", "1k")]);
}
