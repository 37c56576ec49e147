//! The HTML report and pictures in a real browser: an empty console, no horizontal scrolling, no overlapping labels; on paper
//! no torn tables and no dark theme; and no findings of axe.

mod axe;
mod paper;

use std::path::Path;
use std::process::{Command, Output};

use cardiograph_testing::part_or_all;

use self::paper::Paper;
use crate::common::Bench;

/// Checks each page inside its frame, and writes its problems.
const PROBE: &str = r#"
addEventListener('load', () => {
  const wrong = [];
  for (const frame of document.querySelectorAll('iframe')) {
    const page = frame.contentDocument, root = page.documentElement;
    if (root.scrollWidth > root.clientWidth) wrong.push(`${frame.name}: ${root.scrollWidth} wide in ${root.clientWidth}`);
    let seen = 0;
    for (const svg of page.querySelectorAll('svg')) {
      if (!svg.getClientRects().length) continue;
      const title = svg.querySelector('title').textContent, around = svg.getBoundingClientRect();
      const texts = [...svg.querySelectorAll('text')].map(text => [text.textContent, text.getBoundingClientRect()]);
      seen += texts.length;
      texts.forEach(([text, box], at) => {
        if (box.left < around.left - 1 || box.right > around.right + 1) wrong.push(`${frame.name}: ${title}: '${text}' is cut off`);
        // Boxes have the height of the font's line; letters are lower.
        for (const [other, to] of texts.slice(0, at)) {
          const across = Math.min(box.right, to.right) - Math.max(box.left, to.left);
          const down = Math.min(box.bottom, to.bottom) - Math.max(box.top, to.top);
          if (across > 0.5 && down > box.height * 0.25) wrong.push(`${frame.name}: ${title}: '${text}' lies on '${other}'`);
        }
      });
    }
    if (seen < 10) wrong.push(`${frame.name}: only ${seen} labels were seen`);
  }
  document.querySelector('pre').textContent = 'PROBED ' + (wrong.join('\n') || 'nothing is wrong') + ' END';
});
"#;

/// The name of a browser on this machine, if any.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|found| found.status.success()))
}

fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;")
}

/// Opens a file in the browser with these arguments.
fn shown(browser: &str, directory: &Path, file: &Path, arguments: &[&str]) -> Output {
    Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu"])
        .args(arguments)
        .arg(format!("--user-data-dir={}", directory.join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap()
}

/// A page as it is printed.
fn printed(browser: &str, directory: &Path, page: &str) -> Vec<u8> {
    let (file, pdf) = (directory.join("print.html"), directory.join("print.pdf"));
    std::fs::write(&file, page).unwrap();
    let to = format!("--print-to-pdf={}", pdf.display());
    let said = shown(browser, directory, &file, &[&to, "--no-pdf-header-footer"]);
    std::fs::read(pdf).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&said.stderr)))
}

/// The browser's findings on a page with all pages in frames of these widths, and its console.
fn probe(browser: &str, directory: &Path, pages: &[(String, String)]) -> (String, String) {
    // Each page in one of the widths, and each width with two pages.
    let widths = |number: usize| [360, 800, 1_400].into_iter().cycle().skip(number).take(part_or_all(1, 3));
    let frames: String = pages
        .iter()
        .enumerate()
        .flat_map(|(number, page)| widths(number).map(move |width| (width, page)))
        .map(|(width, (name, page))| {
            format!(
                "<iframe name=\"{name} {width}\" width=\"{width}\" height=\"900\" srcdoc=\"{}\"></iframe>\n",
                attribute(page)
            )
        })
        .collect();
    let file = directory.join("probe.html");
    let all = format!("<!DOCTYPE html><meta charset=\"utf-8\"><pre></pre>{frames}<script>{PROBE}</script>");
    std::fs::write(&file, all).unwrap();
    let found = shown(browser, directory, &file, &["--enable-logging=stderr", "--dump-dom"]);
    let said = String::from_utf8_lossy(&found.stderr);
    let console: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    let dom = String::from_utf8_lossy(&found.stdout);
    let answer = dom.split("PROBED ").nth(1).and_then(|rest| rest.split(" END").next());
    (answer.unwrap_or("the page was not looked at").to_string(), console.join("\n"))
}

#[test]
fn pages_and_pictures_stand_in_a_browser() {
    let Some(browser) = browser() else {
        cardiograph_testing::skip("the HTML report in a browser", "no chromium is installed");
        return;
    };
    let bench = Bench::new();
    for (label, model, suite) in [
        ("カード", "sandisk-ultra-64", "quick"),
        ("ssd", "kioxia-sata-960", "cliff"),
        ("sweep", "sandisk-ultra-64", "sweep"),
    ] {
        let check =
            format!("check --simulate {model} --suite {suite} --label {label} --export-html {label}.html");
        bench.run(&check).exits_with(0);
    }
    let mut pages = Vec::new();
    for label in ["カード", "ssd", "sweep"] {
        let japanese = bench.run(&format!("show {label} --export-html - --lang ja")).exits_with(0).stdout;
        pages.push((format!("{label} ja"), japanese));
        let english = std::fs::read_to_string(bench.work().join(format!("{label}.html"))).unwrap();
        pages.push((format!("{label} en"), english));
    }
    let broken = "<title>t</title><svg viewBox='0 0 90 9'><title>x</title><text x='0' y='9'>aa</text><text x='1' y='9'>bb</text></svg>\
                  <script>console.error('said')</script><p style='width: 9999px'>wide</p>";
    pages.push(("broken".to_string(), broken.to_string()));
    let (found, console) = probe(browser, &bench.work(), &pages);
    let (seen, wrong): (Vec<&str>, Vec<&str>) = found.lines().partition(|line| line.starts_with("broken "));
    for expected in ["'bb' lies on 'aa'", "wide in 360", "only 2 labels"] {
        assert!(seen.iter().any(|line| line.contains(expected)), "{found}");
    }
    assert_eq!(wrong, [""; 0]);
    // Each of its frames has one finding, and no other page has any.
    assert_eq!(console.lines().count(), part_or_all(1, 3), "{console}");
    assert!(console.lines().all(|line| line.contains("said")), "{console}");
}

#[test]
fn printed_pages_are_neither_torn_nor_dark() {
    let Some(browser) = browser() else {
        cardiograph_testing::skip("the HTML report on paper", "no chromium is installed");
        return;
    };
    let (bench, mut first) = (Bench::new(), None);
    let checkups = [
        ("カード", "sandisk-ultra-64", "quick", "ja"),
        ("ssd", "kioxia-sata-960", "cliff", "en"),
        ("sweep", "sandisk-ultra-64", "sweep", "en"),
    ];
    for (label, model, suite, lang) in checkups.into_iter().take(part_or_all(1, 3)) {
        bench.run(&format!("check --simulate {model} --suite {suite} --label {label}")).exits_with(0);
        let page = bench.run(&format!("show {label} --export-html - --lang {lang}")).exits_with(0).stdout;
        // Browsers differ in the colour scheme they assume for printers.
        let dark = |media: &str| page.matches(&format!("{media}(prefers-color-scheme:dark)")).count();
        assert!(
            dark("") > 1 && dark("") == dark("@media screen and "),
            "{label}: dark colours are for screens"
        );
        let paper = Paper::parse(&printed(browser, &bench.work(), &page));
        // Folded tables are not printed.
        assert!(paper.count("Table") > 0 && paper.count("H3") > 5, "{label}: the structure was not read");
        assert_eq!(paper.torn(), [""; 0], "{label}");
        first.get_or_insert((page, paper));
    }
    let (page, paper) = first.unwrap();
    // Two pictures or more of each of six steps that measure, and one of all.
    assert!(paper.count("Figure") > 12, "{} pictures", paper.count("Figure"));
    // The findings without the rules for paper.
    let wrong = page.replace("@media print", "@media none");
    assert!(!Paper::parse(&printed(browser, &bench.work(), &wrong)).torn().is_empty());
}
