use std::collections::HashSet;

use super::*;
use crate::value::{ValueError, parse_steady};

#[test]
fn option_names_are_unique() {
    let mut common = HashSet::new();
    let mut of_engines = HashSet::new();
    for def in OPTIONS.iter() {
        for name in def.names() {
            match def.engines {
                [] => assert!(common.insert(name), "{name} twice"),
                engines => {
                    for engine in engines {
                        assert!(of_engines.insert((name, *engine)), "{name} of {engine} twice");
                    }
                }
            }
        }
    }
    let clash = of_engines.iter().find(|(name, _)| common.contains(name));
    assert_eq!(clash, None, "an engine's option that hides one of every job");
}

#[test]
fn every_row_is_explained_in_a_sentence() {
    let is_sentence = |text: &str| text.ends_with('.') && text.len() > 10;
    for def in OPTIONS.iter() {
        assert!(is_sentence(def.help), "{}: '{}'", def.name, def.help);
    }
}

#[test]
fn every_status_has_its_reason_or_its_test() {
    let check = |name: &str, status: Status| match status {
        Status::Works { test } => {
            let is_name =
                test.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
            assert!(is_name && test.len() > 4, "{name}: '{test}'");
        }
        Status::Hint { why } | Status::Refused { why } => {
            assert!(why.id().starts_with("jobs-") && why.parameters().next().is_none(), "{name}: '{why}'");
        }
    };
    for def in OPTIONS.iter() {
        check(def.name, def.status);
        def.words.iter().for_each(|own| check(def.name, own.status));
    }
    ENGINES.iter().for_each(|engine| check(engine.name, engine.status));
}

#[test]
fn words_with_a_status_are_words_of_the_option() {
    for def in OPTIONS.iter().filter(|def| !def.words.is_empty()) {
        let (OptionKind::Word(words) | OptionKind::WordWithArguments(words)) = def.kind else {
            panic!("{} has no words", def.name)
        };
        for own in def.words.iter().flat_map(|own| own.words) {
            assert!(words.contains(own), "{}={own}", def.name);
        }
        assert!(
            words.iter().any(|word| matches!(status_of(def, word), Status::Works { .. })),
            "{}",
            def.name
        );
    }
}

#[test]
fn defaults_can_be_read() {
    for def in OPTIONS.iter().filter(|def| !def.default.is_empty()) {
        assert_eq!(def.kind.check(def.default, 1_024), Ok(()), "{}={}", def.name, def.default);
    }
    assert!(parse_steady(find("steadystate").unwrap().default).is_ok());
}

/// Options accepted without effect must not silently change measurements.
#[test]
fn only_these_options_are_accepted_without_effect() {
    let hints = OPTIONS.iter().filter(|def| matches!(def.status, Status::Hint { .. })).map(|def| def.name);
    assert_eq!(
        hints.collect::<Vec<_>>(),
        [
            "thread",
            "threads",
            "flow_watermark",
            "softrandommap",
            "bs_unaligned",
            "unique_filename",
            "userspace_reap",
            "libaio_vectored",
            "clocksource",
            "gtod_cpu",
            "job_start_clock_id",
            "verify_async",
            "verify_async_cpus",
            "verifysort",
            "verifysort_nr",
            "log_entries",
            "log_compression",
            "log_compression_cpus",
            "comm",
        ]
    );
}

#[test]
fn options_are_found_by_each_of_their_names() {
    for def in OPTIONS.iter() {
        for name in def.names() {
            assert!(find(name).is_some_and(|found| found.names().any(|known| known == name)), "{name}");
            let engine = def.engines.first().copied().unwrap_or("psync");
            let found = find_for(name, engine).unwrap_or_else(|| panic!("{name} for {engine}"));
            assert!(std::ptr::eq(found, def), "{name} for {engine}");
        }
    }
    for name in ["", "zzz", "BS", "bs ", "iodept"] {
        assert!(find(name).is_none(), "'{name}'");
    }
}

#[test]
fn options_of_engines_need_their_engine() {
    assert!(find_for("fixedbufs", "io_uring").is_some());
    assert!(find_for("fixedbufs", "psync").is_none());
    assert!(find_for("bs", "psync").is_some());
    assert_eq!(find_for("hipri", "sg").map(|def| def.group), Some("Engines that are not here"));
    assert_eq!(find_for("hipri", "pvsync2").map(|def| def.group), Some("Engines"));
    assert_eq!(find_for("proto", "rdma").map(|def| def.name), Some("verb"));
    assert_eq!(find("hipri").map(|def| def.group), Some("Engines"));
}

#[test]
fn engines_of_options_exist() {
    for def in OPTIONS.iter() {
        for engine in def.engines {
            assert!(ENGINES.iter().any(|known| known.name == *engine), "{}: {engine}", def.name);
        }
    }
}

#[test]
fn words_can_differ_in_status_from_their_option() {
    let status = |option: &str, value: &str| status_of(find(option).unwrap(), value);
    assert!(matches!(status("rw", "randread:8"), Status::Works { test: "fio_option_rw" }));
    assert!(matches!(status("rw", "trim"), Status::Works { .. }));
    assert!(matches!(status("verify", "pattern_hdr"), Status::Works { .. }));
    assert!(matches!(status("verify", "crc32c"), Status::Works { .. }));
    assert!(matches!(status("zonemode", "zbd"), Status::Refused { .. }));
    assert!(matches!(status("mem", "malloc"), Status::Works { .. }));
    assert!(matches!(status("ioengine", "linuxaio"), Status::Works { test: "fio_engine_libaio" }));
    assert!(matches!(status("ioengine", "mmap"), Status::Works { test: "fio_engine_mmap" }));
    assert!(matches!(status("ioengine", "external:/tmp/a.so"), Status::Refused { .. }));
    // An unknown engine is reported by the resolver, which knows the existing ones.
    assert!(matches!(status("ioengine", "psink"), Status::Works { .. }));
    assert_eq!(engine_name("aio"), "libaio");
    assert_eq!(engine_name("sync"), "sync");
}

#[test]
fn defaults_have_no_effect() {
    let cases = [
        ("thinktime", "0", true),
        ("thinktime", "10", false),
        ("zonemode", "none", true),
        ("continue_on_error", "0", true),
        ("continue_on_error", "1", false),
        ("verify_only", "0", true),
        ("verify_only", "", false),
        ("trim_verify_zero", "1", true),
        ("trim_verify_zero", "0", false),
        ("prio", "0", false),
        ("buffer_pattern", "", false),
        ("uid", "0", false),
        ("dedupe_percentage", "0", true),
    ];
    for (option, value, expected) in cases {
        assert_eq!(asks_for_nothing(find(option).unwrap(), value), expected, "{option}={value}");
    }
}

#[test]
fn kinds_check_values() {
    let good = [
        ("rw", "randread:8"),
        ("bs", "4k,8k,"),
        ("bsrange", "1k-4k,8k-16k"),
        ("bssplit", "4k/60:64k/40,8k"),
        ("filesize", "1k-4k"),
        ("size", "50%"),
        ("startdelay", "5-10"),
        ("rate_iops", "10k,100"),
        ("nice", "-5"),
        ("cpus_allowed", "0,2-3"),
        ("cpumask", "0x3"),
        ("latency_percentile", "99.9"),
        ("merge_blktrace_scalars", "50:100"),
        ("max_latency", "5ms,10ms"),
        ("write_bw_log", ""),
        ("thread", ""),
        ("direct", ""),
        ("ioengine", "external:/tmp/a.so"),
        ("kb_base", "1000"),
    ];
    for (option, value) in good {
        assert_eq!(find(option).unwrap().kind.check(value, 1_024), Ok(()), "{option}={value}");
    }
    let bad = [
        ("rw", "raed"),
        ("bs", ""),
        ("bs", "4k,8k,4k,8k"),
        ("filename", ""),
        ("name", " "),
        ("iodepth", "0"),
        ("iodepth", "1q"),
        ("nice", "-30"),
        ("direct", "2"),
        ("thread", "yes"),
        ("rwmixread", "101"),
        ("percentage_random", "50,101"),
        ("verify_interval", "40"),
        ("significant_figures", "11"),
        ("exit_what", "all:1"),
        ("ioengine", "psink"),
        ("size", "-1"),
        ("runtime", "5x"),
    ];
    for (option, value) in bad {
        assert!(find(option).unwrap().kind.check(value, 1_024).is_err(), "{option}={value}");
    }
    assert_eq!(
        find("iodepth").unwrap().kind.check("33k", 1_000),
        Err(ValueError::OutOfRange { min: 1, max: 32_768 })
    );
}

/// Each type has a short description and an example.
#[test]
fn kinds_are_described() {
    for def in OPTIONS.iter() {
        let text = def.kind.to_string();
        assert!(!text.is_empty() && !text.ends_with('.'), "{}: {text}", def.name);
    }
    let described = |option: &str| find(option).unwrap().kind.to_string();
    assert_eq!(described("iodepth"), "whole number, 1 to 32768");
    assert_eq!(described("rate_iops"), "whole number [read,write,trim]");
    assert_eq!(described("runtime"), "time in s");
    assert_eq!(described("thinktime"), "time in us");
    assert_eq!(described("verify_interval"), "whole number, at least 80");
}
