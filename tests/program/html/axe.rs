//! The HTML report under axe, which checks access by keyboard, by screen reader and with weak eyes.

use std::path::{Path, PathBuf};
use std::process::Command;

use cardiograph_testing::part_or_all;
use serde_json::Value;

use super::{browser, shown};
use crate::common::Bench;

/// From the npm registry. It is run but not shipped: it has its own licence (MPL-2.0).
const AXE: &str = "axe-core@4.14.1";
/// Findings that count; the others are advice.
const COUNTED: [&str; 2] = ["serious", "critical"];

/// Runs axe on its page, and writes the findings where a dump of the page shows them.
const RUN: &str = "addEventListener('load', () => axe.run(document, {resultTypes: ['violations']}).then(\
    found => document.documentElement.setAttribute('data-axe', JSON.stringify({\
        checked: found.passes.length,\
        wrong: found.violations.map(of => ({id: of.id, impact: of.impact, where: of.nodes.map(node => node.html)}))\
    }))));";

/// axe as one script, fetched once.
fn axe() -> Result<PathBuf, String> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe");
    let script = directory.join("package/axe.min.js");
    if script.is_file() {
        return Ok(script);
    }
    std::fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let npm = Command::new("npm").args(["pack", AXE, "--silent"]).current_dir(&directory).output();
    let npm = npm.map_err(|error| format!("npm cannot be started: {error}"))?;
    let archive = String::from_utf8_lossy(&npm.stdout).trim().to_string();
    if !npm.status.success() || archive.is_empty() {
        return Err(format!("npm has no {AXE}: {}", String::from_utf8_lossy(&npm.stderr).trim()));
    }
    let tar =
        Command::new("tar").args(["xzf", &archive, "package/axe.min.js"]).current_dir(&directory).status();
    match tar {
        Ok(status) if status.success() => Ok(script),
        _ => Err(format!("{archive} cannot be unpacked")),
    }
}

/// axe's serious findings on a page, each with its place. `scheme` is 0 for dark, 1 for light.
fn findings(browser: &str, directory: &Path, axe: &str, page: &str, scheme: u8) -> Vec<String> {
    let scripts =
        format!("<script>{}</script><script>{RUN}</script></body>", axe.replace("</script", "<\\/script"));
    let (before, after) = page.rsplit_once("</body>").expect("the page has a body");
    let file = directory.join("axe.html");
    std::fs::write(&file, format!("{before}{scripts}{after}")).unwrap();
    let scheme = format!("--blink-settings=preferredColorScheme={scheme}");
    let output = shown(browser, directory, &file, &["--virtual-time-budget=60000", "--dump-dom", &scheme]);
    let dom = String::from_utf8_lossy(&output.stdout);
    let found = dom.split("data-axe=\"").nth(1).and_then(|rest| rest.split('"').next());
    let found =
        found.unwrap_or_else(|| panic!("axe did not answer: {}", String::from_utf8_lossy(&output.stderr)));
    let found = found.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let found: Value = serde_json::from_str(&found).unwrap();
    assert!(found["checked"].as_u64().unwrap() > 5, "axe looked at next to nothing: {found}");
    let counts = |of: &&Value| of["impact"].as_str().is_some_and(|impact| COUNTED.contains(&impact));
    found["wrong"].as_array().unwrap().iter().filter(counts).map(Value::to_string).collect()
}

#[test]
fn axe_finds_nothing_serious() {
    let Some(browser) = browser() else {
        return cardiograph_testing::skip("the HTML report under axe", "no chromium is installed");
    };
    let axe = match axe() {
        Ok(script) => std::fs::read_to_string(script).unwrap(),
        Err(reason) => return cardiograph_testing::skip("the HTML report under axe", &reason),
    };
    let bench = Bench::new();
    let find = |page: &str, scheme| findings(browser, &bench.work(), &axe, page, scheme);
    let broken = "<!DOCTYPE html><html lang='en'><title>t</title><body><main><h1>t</h1>\
                  <p style='color: #eee; background: #fff'>pale</p><img src='data:,'><ul><li><a href='#a'>a</a></ul></main></body></html>";
    let found = find(broken, 1).join("\n");
    assert!(found.contains("color-contrast") && found.contains("image-alt"), "{found}");
    let checkups = [("カード", "sandisk-ultra-64", "quick"), ("ssd", "kioxia-sata-960", "cliff")];
    for (number, (label, model, suite)) in checkups.into_iter().enumerate().take(part_or_all(1, 2)) {
        bench.run(&format!("check --simulate {model} --suite {suite} --label {label}")).exits_with(0);
        for (lang, scheme) in [("en", 1), ("ja", 0)].into_iter().cycle().skip(number).take(part_or_all(1, 2))
        {
            let page = bench.run(&format!("show {label} --export-html - --lang {lang}")).exits_with(0).stdout;
            assert_eq!(find(&page, scheme), [""; 0], "{label} {lang}");
        }
    }
}
