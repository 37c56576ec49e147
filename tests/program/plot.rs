//! `plot`: charts of saved checkups.

use crate::common::{Bench, has_message};

fn bench() -> Bench {
    let bench = Bench::new();
    bench
        .run("check --simulate sandisk-ultra-64 --label microsd --max-time 20s --export-json microsd.json")
        .exits_with(0);
    bench.run("check --simulate kioxia-sata-960 --label ssd --max-time 20s").exits_with(0);
    bench
}

#[test]
fn pictures_go_into_files_or_a_pipe() {
    let bench = bench();
    for kind in ["dots", "over-time", "percentiles", "distribution", "latency-over-time"] {
        bench
            .run(&format!("plot microsd ssd --kind {kind} --export-svg {kind}.svg"))
            .exits_with(0)
            .says(&[kind]);
        let svg = std::fs::read_to_string(bench.work().join(format!("{kind}.svg"))).unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("microsd and ssd"), "{kind}");
    }
    let piped =
        bench.run("plot microsd.json --kind over-time --export-svg - --lang ja --size 360").exits_with(0);
    assert!(piped.stdout.starts_with("<svg ") && piped.stdout.contains("width=\"360\""));
    assert!(piped.stdout.contains("帯域の推移") && piped.stdout.ends_with("</svg>\n"));
    assert_eq!(piped.stderr, "");
    let article = "plot microsd ssd --title Drives --size 1200x630 --theme dark --export-svg -";
    let article = bench.run(article).exits_with(0).stdout;
    assert!(article.contains("width=\"1200\" height=\"630\"") && article.contains(">Drives</text>"));
    assert!(
        article.contains("#16191d") && !article.contains("@media"),
        "the theme does not follow the screen"
    );
    let one = bench.run("plot ssd --kind percentiles --step durable-write --export-svg -").exits_with(0);
    assert!(has_message(&one.stdout, "step-durable") && !has_message(&one.stdout, "step-random-read"));
    bench.run("check --simulate sandisk-ultra-64 --label microsd --suite sd-class").exits_with(0);
    let newest = bench.run("plot microsd --export-svg -").exits_with(0);
    newest.complains(&["@select-newest", "2"]);
    assert!(newest.stdout.starts_with("<svg "));
}

#[test]
fn a_png_uses_the_machines_fonts_or_a_message_says_that_there_are_none() {
    let bench = bench();
    let fonts = ["/usr/share/fonts", "/usr/local/share/fonts"];
    let has_fonts =
        fonts.iter().any(|directory| std::fs::read_dir(directory).is_ok_and(|mut d| d.next().is_some()));
    if !has_fonts {
        bench.run("plot @last --export-png a.png").exits_with(2).complains(&["@png-no-fonts"]);
        cardiograph_testing::skip("a picture as PNG", "no font is installed");
        return;
    }
    bench
        .run("plot @last --export-png a.png --export-svg a.svg")
        .exits_with(0)
        .says(&["PNG: a.png", "SVG: a.svg"]);
    let png = std::fs::read(bench.work().join("a.png")).unwrap();
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    assert_eq!(width, 720);
}

#[test]
fn charts_that_cannot_be_drawn_are_refused() {
    let bench = bench();
    for (arguments, words) in [
        ("plot", "SELECTOR"),
        ("plot @last", "--export-svg"),
        ("plot @last --export-svg a.svg --kind pie", "over-time"),
        ("plot @last --export-svg a.svg --size 10", "@errors-value-number"),
        ("plot @last --export-svg a.svg --size 1200x", "@errors-value-number"),
        ("plot @last --export-svg a.svg --width 720", "--size WIDTH"),
        ("plot @last --export-svg a.svg --theme sepia", "auto, light, dark"),
        ("plot @last --export-svg a.svg --lang fr", "en, ja"),
        ("plot @last --export-svg - --export-png -", "@export-one-stdout"),
        ("plot @last --export-svg a.svg --step x", "@plot-error.no-step"),
        ("plot @last --export-svg a.svg --kind sweep", "@plot-error.no-sweep"),
        ("plot @last --export-svg a.svg --kind sweep --step x", "@plot-error.sweep-is-whole"),
        ("plot nothing --export-svg a.svg", "@select-nothing.word"),
        ("plot @last --export-svg missing/a.svg", "missing/a.svg: No such file or directory"),
    ] {
        bench.run(arguments).exits_with(2).complains(&[words]);
    }
    assert_eq!(bench.entries(), ["microsd.json"], "nothing is left behind");
}
