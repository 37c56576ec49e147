use super::*;

/// Texts of files under `crates/core/src`; `LONG` stands for 69 lines.
fn package(files: &[(&str, &str)]) -> Package {
    let text = |text: &str| text.replace("LONG", &"let x = 1;\n".repeat(69));
    let texts = files.iter().map(|(name, content)| (format!("crates/core/src/{name}"), text(content)));
    source::parse("crates/core/src", &texts.collect()).unwrap()
}

/// The findings in files: the rule, the item without the directory, and the line.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    let (mut findings, mut problems) = (Findings::new(), Vec::new());
    inspect(&package(files), "crates/core/src", &mut findings, &mut problems);
    let impure = problems.iter().map(|problem| format!("impure {}:{}", problem.path, problem.line));
    let found = findings.iter().map(|(key, (_, problem))| format!("{key}:{}", problem.line));
    found.chain(impure).map(|found| found.replace("crates/core/src/", "")).collect()
}

#[test]
fn functions_are_measured_from_fn_to_the_closing_brace() {
    for (text, expected) in [
        ("fn f() {\nLONG}", vec!["function lib.rs f:1"]),
        ("/// Doc.\n#[inline]\npub fn f()\n{ LONG}", vec!["function lib.rs f:3"]),
        ("fn f() { LONG}", vec![]),
        ("fn f() {\n    fn g() {\n LONG } }", vec!["function lib.rs f:1", "function lib.rs f::g:2"]),
        ("struct A;\nimpl A {\n fn f() {\nLONG}}", vec!["function lib.rs A::f:3"]),
        ("trait T { fn f();\n fn g() {\nLONG}}", vec!["function lib.rs T::g:2"]),
        ("mod a {\n fn f() {\nLONG}}", vec!["function lib.rs a::f:2"]),
        ("#[test]\nfn f() {\nLONG}", vec![]),
        ("#[cfg(test)]\nmod tests { fn f() {\nLONG} }", vec![]),
        ("#[cfg(all(test, unix))] fn f() {\nLONG}", vec![]),
        ("impl A { #[cfg(any(test, all(test)))] fn f() {\nLONG} }", vec![]),
        ("#[cfg(any(test, unix))] fn f() {\nLONG}", vec!["function lib.rs f:1"]),
        ("#[cfg(not(test))] fn f() {\nLONG}", vec!["function lib.rs f:1"]),
    ] {
        assert_eq!(found(&[("lib.rs", text)]), expected, "{text}");
    }
}

#[test]
fn files_are_measured_without_tests() {
    let full = "//\n".repeat(FILE_LIMIT);
    for (text, expected) in [
        (format!("{full}//"), vec!["file lib.rs:1"]),
        (full.clone(), vec![]),
        (format!("{full}#[cfg(test)]\n#[allow(dead_code)]\nmod tests {{\n\n}}\n"), vec![]),
        (format!("{full}#[cfg(test)]\nmod tests;\n"), vec![]),
    ] {
        assert_eq!(found(&[("lib.rs", &text), ("tests.rs", &format!("{full}//"))]), expected);
    }
}

#[test]
fn lines_of_code_are_those_with_a_token_outside_tests_and_comments() {
    for (text, expected) in [
        ("//! Doc.\n\n/* one\n two */\nfn f() {} // end\n", 1),
        ("/// Doc.\n/** More. */\n#[inline]\nfn f() {\n    //! Inner.\n    a / b;\n}\n", 4),
        ("const A: &str = \"one\n\n// two\n\";\n", 3),
        ("fn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n", 1),
    ] {
        assert_eq!(package(&[("lib.rs", text)]).files[0].code_lines, expected, "{text}");
    }
}

#[test]
fn uses_of_the_machine_are_found_in_any_form() {
    for (text, lines) in [
        ("use std::fs;", vec![1]),
        ("use std::{\n    env,\n    time::{Duration, Instant},\n};", vec![2, 3]),
        ("use std::time;\nfn f() { time::SystemTime::now(); }", vec![2]),
        ("use std::time::*;", vec![1]),
        ("fn f() { ::std::thread::spawn(f); }", vec![1]),
        ("fn f() -> String {\n    format!(\"{}\", std::env::temp_dir())\n}", vec![2]),
        ("pub use std::time::SystemTime as Now;", vec![1]),
        ("use std::time::Duration;\nuse std::io;\nfn f(a: fs::File) {}", vec![]),
        ("mod thread { pub struct A; }\nuse thread::A;", vec![]),
        ("#[cfg(test)]\nmod tests { use std::fs; }\n#[cfg(test)]\nuse std::env;", vec![]),
    ] {
        let expected: Vec<String> = lines.iter().map(|line| format!("impure lib.rs:{line}")).collect();
        assert_eq!(found(&[("lib.rs", text)]), expected, "{text}");
    }
}

#[test]
fn cycles_are_found() {
    let circle = |files: &str, line: usize| vec![format!("circle {files}:{line}")];
    for (root, a, b, expected) in [
        ("", "use crate::b::B;", "use super::a::A;", circle("a.rs b.rs", 1)),
        ("", "\nfn f() { crate::b::g() }", "fn g() { super::a::f() }", circle("a.rs b.rs", 2)),
        ("", "fn f() { vec![crate::b::g()]; }", "use super::a;\nfn g() { a::f() }", circle("a.rs b.rs", 1)),
        ("", "use crate::b::B;", "pub struct B;", vec![]),
        ("use a::A;\nstruct B(A);", "struct A;\nuse super::B;", "", vec![]),
        // An exported item belongs to the file that defines it.
        (
            "pub use a::A;\npub use b::*;",
            "struct A;\nuse crate::B;",
            "struct B;\nuse crate::A;",
            circle("a.rs b.rs", 2),
        ),
        ("pub use b::B;\nuse a::A;", "struct A;\nuse super::B;", "struct B;", vec![]),
        ("", "use crate::b::B;", "struct B;\n#[cfg(test)]\nmod tests { use crate::a::A; }", vec![]),
        (
            "mod c { use super::a::A;\n struct C; }",
            "use crate::c::C;\nstruct A;",
            "",
            circle("a.rs lib.rs", 1),
        ),
        // Cyclic imports.
        ("pub use a::*;", "pub use super::*;\nuse b::X;", "pub use super::X;", vec![]),
    ] {
        let root = format!("{root} mod a; mod b;");
        assert_eq!(found(&[("lib.rs", &root), ("a.rs", a), ("b.rs", b)]), expected, "{root}\n{a}\n{b}");
    }
    let apart = [
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "use crate::c::C;\nuse crate::d::D;"),
        ("c.rs", "use crate::a::A;"),
        ("d.rs", "mod e; use e::E;"),
        ("d/e.rs", "struct E;\nuse super::*;"),
    ];
    assert_eq!(found(&apart), ["circle a.rs b.rs c.rs:1"]);
}

#[test]
fn modules_declared_by_a_macro_are_read() {
    let (long, root) = ("fn f() {\nLONG}", ("lib.rs", "mod a;"));
    let findings = |parent| found(&[root, ("a/mod.rs", parent), ("a/b.rs", long), ("a/b/c.rs", long)]);
    assert_eq!(findings("list!(all);"), ["function a/b.rs f:1"]);
    assert_eq!(findings("macro_rules! list { () => {} }"), [] as [&str; 0]);
    assert_eq!(findings("#[cfg(test)]\nmod b;\nlist!(all);"), [] as [&str; 0]);
}

#[test]
fn path_attributes_are_followed() {
    let files = [
        ("lib.rs", "#[cfg_attr(unix, path = \"other.rs\")]\nmod a;\n#[path = \"x/y.rs\"] mod b;"),
        ("a.rs", ""),
        ("other.rs", ""),
        ("x/y.rs", ""),
        ("alone.rs", ""),
    ];
    assert_eq!(package(&files).files.len(), 4);
    assert!(source::parse("src", &Texts::from([("src/lib.rs".into(), "fn".into())])).is_err());
}

#[test]
fn the_list_of_exceptions_only_shrinks() {
    let problems = |list: &str| {
        let problem = |line| Problem { path: "a.rs".to_string(), line, message: String::new() };
        let findings = [
            ("file a.rs".to_string(), (Some(600), problem(1))),
            ("circle a.rs b.rs".to_string(), (None, problem(2))),
        ];
        let mut problems = Vec::new();
        except(findings.into(), list, &mut problems);
        problems.sort();
        let place = |problem: &Problem| {
            format!(
                "{}:{}",
                if problem.path == EXCEPTIONS_PATH { "list" } else { &problem.path },
                problem.line
            )
        };
        problems.iter().map(place).collect::<Vec<_>>().join(" ")
    };
    for (file, expected) in [
        ("file a.rs 600 # table", ""),
        ("file a.rs 620 # a little shorter now", ""),
        ("file a.rs 640 # much shorter now", "list:1"),
        ("file a.rs 599 # has grown", "a.rs:1"),
        ("file a.rs 600 #", "a.rs:1 list:1"),
        ("file a.rs # no number", "a.rs:1 list:1"),
        ("file b.rs 600 # within the rule, or gone", "a.rs:1 list:1"),
        ("file a.rs 600 # table\nfile a.rs 600 # table", "list:2"),
        ("# comment\n\nfile a.rs 640 # much shorter now", "list:3"),
    ] {
        assert_eq!(problems(&format!("{file}\ncircle a.rs b.rs # one noun")), expected, "{file}");
    }
    for circle in
        ["circle a.rs b.rs c.rs # no longer c", "circle a.rs # more", "circle b.rs a.rs # not sorted"]
    {
        assert_eq!(problems(&format!("file a.rs 600 # table\n{circle}")), "a.rs:2 list:2", "{circle}");
    }
}
