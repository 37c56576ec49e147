use super::*;
use crate::collector::ERRORS_MAX;
use crate::invocation::Invocation;
use crate::testing::{FakeLoader, brief, jobs, messages, notes};

fn loader(content: &[u8]) -> FakeLoader {
    FakeLoader::default()
        .file("t.fio", content)
        .file("inc", "bs=1k\nrw=write\n")
        .file("sub/t.fio", content)
        .file("sub/beside", "bs=2k\ninclude deeper\n")
        .file("sub/deeper", "iodepth=3\n")
        .file("sub/inc", "bs=512\n")
        .file("with space", "bs=3k\n")
        .file("head", "bs=1k\n[k]\nsize=1k\nnosuch=1\n")
        .file("bad", "nosuchoption=1\n\nbs=\n")
        .file("loop", "include loop\n")
        .file("ring1", "bs=1k\ninclude ring2\n")
        .file("ring2", "include ring1\n")
        .variable("X", "5")
        .variable("RW", "write")
        .variable("LINE", "bs=1k")
        .variable("EMPTY", "")
        .variable("NEST", "${X}")
        .variable("CPUS", "$ncpus")
        .variable("LONG", &"x".repeat(40_000))
}

fn parsed(path: &str, content: &[u8]) -> Invocation {
    let shown = String::from_utf8_lossy(content);
    loader(content).parse(&[path]).unwrap_or_else(|rejection| panic!("{shown:?}: {:?}", messages(&rejection)))
}

fn rejected(content: &[u8]) -> Vec<String> {
    match loader(content).parse(&["t.fio"]) {
        Ok(invocation) => {
            panic!("{:?} was accepted: {:?}", String::from_utf8_lossy(content), jobs(&invocation))
        }
        Err(rejection) => messages(&rejection),
    }
}

#[test]
fn sections_and_lines_match_fio() {
    let cases: &[(&str, &[&str])] = &[
        ("[a]\nrw=read\n[b]\n", &["a:  | rw=read", "b:  | "]),
        ("[a]", &["a:  | "]),
        ("[a]\nrw=read", &["a:  | rw=read"]),
        (
            "[global]\nbs=1k\n[a]\nrw=read\n[global]\nsize=2k\n[b]\n",
            &["a: bs=1k | rw=read", "b: bs=1k size=2k | "],
        ),
        ("[globalfoo]\nbs=1k\n[a]\n", &["a: bs=1k | "]),
        ("[GLOBAL]\nbs=1k\n[a]\n", &["GLOBAL:  | bs=1k", "a:  | "]),
        ("[a b]\n[ c ]\n[d]]\n[e]f]\n  [g]  \n", &["a b:  | ", " c :  | ", "d]:  | ", "e]f:  | ", "g:  | "]),
        ("[a] ; comment\n", &["a:  | "]),
        // A section may give its job another name; a global section may not.
        (
            "[global]\nname=foo\n[a]\n[b]\nname=c\nname=d\n",
            &["a: name=foo | ", "d: name=foo | name=c name=d"],
        ),
        ("[a]\nname=global\n[b]\n", &["global:  | name=global", "b:  | "]),
        // Comments begin anywhere.
        ("; a\n# b\n\n[a]\n  ; c\n\t# d\nrw=read ; e\nbs=1k#f\nsize=1k;\n", &["a:  | rw=read bs=1k size=1k"]),
        // Spaces around the name and value.
        ("[a]\n  rw =read\nbs = 1k\n\tsize\t=\t2k\t\n", &["a:  | rw=read bs=1k size=2k"]),
        ("[a]\nfilename= x y \n", &["a:  | filename=x y"]),
        ("[a]\n\x0b bs=1k\x0c\n \x0c\n", &["a:  | bs=1k"]),
        ("[a]\r\nrw=read\r\n\r\n", &["a:  | rw=read"]),
        ("\u{feff}[a]\nrw=read\n", &["a:  | rw=read"]),
        // Values.
        ("[a]\nthread\nwrite_bw_log\nwrite_lat_log=\n", &["a:  | thread write_bw_log write_lat_log"]),
        ("[a]\nfilename=a=b\ndescription=\"x y\"\n", &["a:  | filename=a=b description=\"x y\""]),
        ("[a]\nblocksize=1k\nreadwrite=read\nbs=2k\n", &["a:  | bs=1k rw=read bs=2k"]),
        // Includes: relative to the current directory, or else to the file.
        ("[a]\ninclude inc\niodepth=2\n", &["a:  | bs=1k rw=write iodepth=2"]),
        ("[a]\n  include\t inc  ; c\n", &["a:  | bs=1k rw=write"]),
        ("[a]\ninclude=inc\n", &["a:  | bs=1k rw=write"]),
        ("[a]\ninclude with space\n", &["a:  | bs=3k"]),
        ("[global]\ninclude inc\n[a]\n", &["a: bs=1k rw=write | "]),
        ("[a]\ninclude sub/beside\n", &["a:  | bs=2k iodepth=3"]),
    ];
    for (content, expected) in cases {
        assert_eq!(jobs(&parsed("t.fio", content.as_bytes())), *expected, "{content:?}");
    }
    assert_eq!(jobs(&parsed("sub/t.fio", b"[a]\ninclude inc\n")), ["a:  | bs=1k rw=write"]);
    assert_eq!(jobs(&parsed("sub/t.fio", b"[a]\ninclude beside\n")), ["a:  | bs=2k iodepth=3"]);
    // A comment may hold any bytes.
    assert_eq!(jobs(&parsed("t.fio", b"[a] ; \xff\0\n#\xfe\nbs=1k;\xfd\n")), ["a:  | bs=1k"]);
    let long = format!("[a]\nbs=1k {}\n", "# ".repeat(LINE_LEN_BYTES_MAX));
    assert_eq!(jobs(&parsed("t.fio", long.as_bytes())), ["a:  | bs=1k"]);
}

#[test]
fn variables_keywords_and_arithmetic() {
    let cases = [
        ("rw=${RW}", "rw=write"),
        ("description=a${X}b${RW}c", "description=a5bwritec"),
        ("${LINE}", "bs=1k"),
        ("description=$X ${", "fio-file.variable-unclosed"),
        ("description=$X", "description=$X"),
        ("description=$$ncpus$", "description=$8$"),
        ("description=\\${X}", "description=\\5"),
        ("description=${NEST}", "description=${X}"),
        ("description=${CPUS}", "description=8"),
        ("description=x${EMPTY}${NOPE}y${}", "description=xy"),
        ("filename=a-$ncpus-$pagesize-$mb_memory", "filename=a-8-4096-2000"),
        ("filename_format=$jobname.$jobnum", "filename_format=$jobname.$jobnum"),
        ("iodepth=$ncpus", "iodepth=8"),
        ("iodepth=$ncpus*2", "iodepth=16"),
        ("iodepth = $ncpus * 2", "iodepth=16"),
        ("iodepth=5%$ncpus", "iodepth=5"),
        ("iodepth=9/$ncpus+1", "iodepth=2"),
        ("iodepth=($ncpus*2)", "iodepth=16"),
        ("nice=-$ncpus", "nice=-8"),
        ("size=$mb_memoryM", "size=2000M"),
        ("size=$mb_memory*1m", "size=2097152000"),
        ("size=$ncpus%", "size=8%"),
        ("size=($ncpus*2)%", "size=16%"),
        ("size=(1G/4)", "size=268435456"),
        ("size=2+3", "size=2+3"),
        ("bs=(1k+1k),(4k)", "bs=2048,4096"),
        ("bs=$pagesize,8k", "bs=4096,8k"),
        ("bs=$pagesize*2,8k", "bs=8192,8k"),
        ("bsrange=1k-(2k)", "bsrange=1k-2048"),
        ("bsrange=(3k-1k)-$pagesize*2,1k-2k", "bsrange=2048-8192,1k-2k"),
        ("bssplit=(1k)/50:(4k/2)/50", "bssplit=1024/50:2048/50"),
        ("startdelay=(2*3)-(5*2)", "startdelay=6-10"),
        ("runtime=(1s+500ms)", "runtime=1500000000ns"),
        ("runtime=(5+5)", "runtime=10"),
        ("cpus_allowed=0-($ncpus-1)", "cpus_allowed=0-7"),
        ("cpus_allowed=0-$ncpus", "cpus_allowed=0-8"),
        ("direct=(1)", "direct=1"),
        ("description=(1+1)", "description=(1+1)"),
        ("rw=(read)", "rw=(read)"),
        ("include ${X}${NOPE}", "fio-file.unreadable(path=5, reason=no such file)"),
    ];
    for (line, expected) in cases {
        let content = format!("[a]\n{line}\n");
        match loader(content.as_bytes()).parse(&["t.fio"]) {
            Ok(invocation) => assert_eq!(jobs(&invocation), [format!("a:  | {expected}")], "{line}"),
            Err(rejection) => {
                let problem = brief(&rejection.errors[0].what);
                assert!(problem.starts_with(expected), "{line}: {problem}");
            }
        }
    }
    // Section names are taken as they are, as in fio.
    assert_eq!(jobs(&parsed("t.fio", b"[${X}$ncpus]\n")), ["${X}$ncpus:  | "]);
}

#[test]
fn origins_are_lines_and_character_columns() {
    let invocation = parsed("t.fio", "; コメント\n\n  [ジョブ]\n\t rw = read\ninclude inc\n".as_bytes());
    let file = |path: &str, line, column| Origin::File { path: path.into(), line, column };
    assert_eq!(invocation.jobs[0].spec.origin, file("t.fio", 3, 3));
    let places: Vec<_> =
        invocation.jobs[0].spec.settings.iter().map(|setting| setting.origin.clone()).collect();
    assert_eq!(places, [file("t.fio", 4, 3), file("inc", 1, 1), file("inc", 2, 1)]);
    let mut stdin = FakeLoader::default().file("-", "[a]\nsiez=1\n");
    let rejection = stdin.parse(&["-"]).unwrap_err();
    assert_eq!(
        messages(&rejection),
        ["<stdin>:2:1: jobs-problem.unknown-option-meant(meant=size, option=siez)"]
    );
    assert_eq!(
        rejected("[ジョブ]\ndescription=長い${X\nsize=  (1k\n".as_bytes()),
        [
            "t.fio:2:15: fio-file.variable-unclosed(closing=}, opening=${)",
            "t.fio:3:8: fio-option.not-calculated(problem=fio-arithmetic.unclosed, setting=size=(1k)",
        ]
    );
}

#[test]
fn each_error_names_place_cause_and_remedy() {
    let cases: &[(&str, &[&str])] = &[
        (
            "[a]\nblocksise=1k\nRW=read\n[b]\n--bs=4k\nbs 4k\nbs: 4k\niodep=4\nxyzzyplugh\n",
            &[
                "t.fio:2:1: jobs-problem.unknown-option-meant(meant=blocksize, option=blocksise)",
                "t.fio:3:1: jobs-problem.unknown-option-meant(meant=rw, option=RW)",
                "t.fio:5:1: jobs-problem.unknown-option-meant(meant=bs, option=--bs)",
                "t.fio:6:1: jobs-problem.unknown-option-meant(meant=bs=4k, option=bs 4k)",
                "t.fio:7:1: jobs-problem.unknown-option-meant(meant=bs=4k, option=bs: 4k)",
                "t.fio:8:1: jobs-problem.unknown-option-meant(meant=iodepth, option=iodep)",
                "t.fio:9:1: jobs-problem.unknown-option(option=xyzzyplugh)",
            ],
        ),
        // An error in a global section is reported once, however many jobs inherit it.
        (
            "[global]\nbsx=1k\n[a]\n[b]\n",
            &["t.fio:2:1: jobs-problem.unknown-option-meant(meant=bs, option=bsx)"],
        ),
        (
            "[a]\n\u{3000}bs=4k\n",
            &["t.fio:2:1: jobs-problem.unknown-option-meant(meant=bs, option=\u{3000}bs)"],
        ),
        ("[a]\n=5\n=\n", &["t.fio:2:1: fio-option.name-missing", "t.fio:3:1: fio-option.name-missing"]),
        (
            "[a]\niodepth\nfilename\n",
            &[
                "t.fio:2:1: fio-option.value-missing(option=iodepth)",
                "t.fio:3:1: fio-option.value-missing(option=filename)",
            ],
        ),
        (
            "[a]\nrw=\nthread = ; on\n",
            &[
                "t.fio:2:1: fio-option.value-empty(option=rw)",
                "t.fio:3:1: fio-option.value-empty(option=thread)",
            ],
        ),
        (
            "[a]\nfilename=${NOPE}\nbs=${EMPTY}\n",
            &[
                "t.fio:2:1: fio-option.value-unset(option=filename, variable=NOPE)",
                "t.fio:3:1: fio-option.value-unset(option=bs, variable=EMPTY)",
            ],
        ),
        (
            "[a]\niodepth=(1+x)\n  size= (1s)\n",
            &[
                "t.fio:2:9: fio-option.not-calculated(problem=fio-arithmetic.unexpected(found=x), setting=iodepth=(1+x))",
                "t.fio:3:9: fio-option.not-calculated(problem=jobs-value.unknown-unit(unit=s), setting=size=(1s))",
            ],
        ),
        ("bs=1k\nsize=1k\nnosuch=1\n[a]\n", &["t.fio:1:1: fio-file.before-section(line=bs=1k)"]),
        ("include inc\n[a]\n", &["t.fio:1:1: fio-file.before-section(line=include inc)"]),
        (
            "[a\nbs=1k\nbsx=1\n[b] rw=write\n[]\n[ ]\n",
            &[
                "t.fio:1:1: fio-file.section-unclosed(section=[a)",
                "t.fio:3:1: jobs-problem.unknown-option-meant(meant=bs, option=bsx)",
                "t.fio:4:1: fio-file.section-unclosed(section=[b] rw=write)",
                "t.fio:5:1: fio-file.section-unnamed",
                "t.fio:6:1: fio-file.section-unnamed",
            ],
        ),
        ("[c;d]\n", &["t.fio:1:1: fio-file.section-unclosed(section=[c)"]),
        (
            "[a]\n  include head\nbsx=1k\n",
            &[
                "head:2:1: fio-file.section-included",
                "t.fio:3:1: jobs-problem.unknown-option-meant(meant=bs, option=bsx)",
            ],
        ),
        (
            "[a]\ninclude bad\ninclude nofile\ninclude\ninclude = \nincludeinc\n",
            &[
                "bad:1:1: jobs-problem.unknown-option(option=nosuchoption)",
                "bad:3:1: fio-option.value-empty(option=bs)",
                "t.fio:3:1: fio-file.unreadable(path=nofile, reason=no such file)",
                "t.fio:4:1: fio-file.include-unnamed",
                "t.fio:5:1: fio-file.include-unnamed",
                "t.fio:6:1: jobs-problem.unknown-option(option=includeinc)",
            ],
        ),
        ("[a]\ninclude loop\n", &["loop:1:1: fio-file.includes-itself(chain=loop -> loop)"]),
        (
            "[a]\ninclude ring1\ninclude t.fio\n",
            &[
                "ring2:1:1: fio-file.includes-itself(chain=ring1 -> ring2 -> ring1)",
                "t.fio:3:1: fio-file.includes-itself(chain=t.fio -> t.fio)",
            ],
        ),
        ("[a]\nfilename=x\0y\n\0\n", &["t.fio:2:11: fio-file.zero-byte", "t.fio:3:1: fio-file.zero-byte"]),
        (
            "[a]\ndescription=${LONG}${LONG}\ndescription=${LONG}\nrw=${LONG}${LONG\n",
            &[
                "t.fio:2:1: fio-file.line-too-long(max=65536)",
                "t.fio:4:11: fio-file.variable-unclosed(closing=}, opening=${)",
            ],
        ),
    ];
    for (content, expected) in cases {
        assert_eq!(rejected(content.as_bytes()), *expected, "{content:?}");
    }
    assert_eq!(
        rejected(
            "[ジ]\nfilename=é\n"
                .as_bytes()
                .iter()
                .copied()
                .chain(*b"filename=\xe3\x82x\n")
                .collect::<Vec<_>>()
                .as_slice()
        ),
        ["t.fio:3:10: fio-file.not-text"]
    );
}

#[test]
fn lines_files_and_nesting_are_limited() {
    let line = |len: usize| format!("[a]\ndescription={}\nbs=1k\n", "x".repeat(len - "description=".len()));
    assert_eq!(parsed("t.fio", line(LINE_LEN_BYTES_MAX).as_bytes()).jobs[0].spec.settings.len(), 2);
    let too_long = ["t.fio:2:1: fio-file.line-too-long(max=65536)"];
    assert_eq!(rejected(line(LINE_LEN_BYTES_MAX + 1).as_bytes()), too_long);
    assert_eq!(rejected(line(2_000_000).as_bytes()), too_long);
    assert_eq!(
        rejected(&vec![b'\n'; FILE_LEN_BYTES_MAX + 1]),
        ["fio-place.word(word=1): fio-file.too-long(max=2097152)"]
    );

    let nest = |depth: usize| {
        let mut loader = FakeLoader::default().file("t.fio", "[a]\ninclude d1\n");
        for level in 1..depth {
            loader = loader.file(&format!("d{level}"), format!("include d{}\n", level + 1));
        }
        loader.file(&format!("d{depth}"), "bs=1k\n").parse(&["t.fio"])
    };
    assert_eq!(jobs(&nest(INCLUDE_DEPTH_MAX).unwrap()), ["a:  | bs=1k"]);
    assert_eq!(
        messages(&nest(INCLUDE_DEPTH_MAX + 1).unwrap_err()),
        ["d32:1:1: fio-file.nested-too-deep(max=32)"]
    );
    // Each file includes the next one twice, which would make 2^30 lines.
    let mut doubling = FakeLoader::default().file("t.fio", "[a]\ninclude d1\n");
    for level in 1..30 {
        doubling = doubling.file(&format!("d{level}"), format!("include d{0}\ninclude d{0}\n", level + 1));
    }
    let rejection = doubling.file("d30", "bs=1k\n").parse(&["t.fio"]).unwrap_err();
    assert_eq!(messages(&rejection).len(), 1);
    assert!(
        messages(&rejection)[0].ends_with("fio-file.too-many-includes(max=1000)"),
        "{:?}",
        messages(&rejection)
    );
}

#[test]
fn the_number_of_errors_is_limited() {
    let found = rejected(format!("[a]\n{}", "nosuchoption=1\n".repeat(100_000)).as_bytes());
    assert_eq!(found.len(), ERRORS_MAX + 1);
    assert_eq!(found[ERRORS_MAX], "t.fio:1002:1: fio-file.too-many-errors(max=1000)");
}

#[test]
fn sections_that_do_not_run_are_not_read() {
    let content = "[a]\nnosuch=1\ninclude nofile\nfilename=\0\n[b]\nbs=1k\n[c]\n\u{1}\n";
    let mut loader = loader(content.as_bytes());
    assert_eq!(jobs(&loader.parse(&["--section=b", "t.fio"]).unwrap()), ["b:  | bs=1k"]);
    assert_eq!(loader.asked, ["t.fio"]);
}

#[test]
fn remarks() {
    let cases: &[(&str, &[&str])] = &[
        (
            "[a]\nfilename=x#1\ndirectory=/a;b\nrw=read;c\ndescription=a ;b\n",
            &[
                "t.fio:2:1: fio-file.comment-cuts-value(option=filename, value=x)",
                "t.fio:3:1: fio-file.comment-cuts-value(option=directory, value=/a)",
            ],
        ),
        ("[a]\ndescription=a${NOPE}\n", &["t.fio:2:1: fio-file.variable-unset(variable=NOPE)"]),
        ("[Global]\n", &["t.fio:1:1: fio-file.capital-global(section=Global)"]),
        ("[a]\nfilename=/x:~/y\n", &["t.fio:2:1: fio-option.tilde(option=filename)"]),
    ];
    for (content, expected) in cases {
        assert_eq!(notes(&parsed("t.fio", content.as_bytes())), *expected, "{content:?}");
    }
}

#[test]
fn no_input_makes_it_panic() {
    const PIECES: [&str; 40] = [
        "\n",
        "\n",
        "\n[",
        "]",
        "[a]\n",
        "[global]\n",
        "=",
        "bs",
        "size=",
        "iodepth=",
        "(",
        ")",
        "1k",
        "2",
        "-",
        "+",
        "%",
        "^",
        "/",
        "*",
        "$ncpus",
        "${X}",
        "${",
        "}",
        "${LONG}",
        "include ",
        "inc",
        "loop",
        "sub/beside",
        ";",
        "#",
        "\0",
        "\u{feff}",
        "é",
        "\r",
        "\t",
        "--",
        "startdelay=",
        "bsrange=",
        "thread",
    ];
    // A linear congruential generator with the constants of Knuth's MMIX.
    let mut state = 1u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..5_000 {
        let mut content: Vec<u8> = (0..draw(30)).flat_map(|_| PIECES[draw(PIECES.len())].bytes()).collect();
        if !content.is_empty() && draw(4) == 0 {
            let at = draw(content.len());
            content[at] = draw(256) as u8;
        }
        let mut loader = loader(&content);
        if let Err(rejection) = loader.parse(&["t.fio"]) {
            assert!(!messages(&rejection).is_empty());
        }
        if let Ok(text) = std::str::from_utf8(&content) {
            let mut words: Vec<&str> = text.split('\n').collect();
            words.insert(0, "--name=a");
            let _ = loader.parse(&words);
        }
    }
}
