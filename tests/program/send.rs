//! Checkups are sent to a team's server: which, when, what is said, and what is kept for later.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use cardiograph_core::json;
use cardiograph_store::{SqliteStore, Store};
use cardiograph_testing::skip;
use cardiograph_testing::team::{Answer, Request, TOKEN, Team};

use crate::common::{Bench, Outcome, PROGRAM};
use crate::live::{Terminal, ends_with_prompt};

const CHECK: &str = "check --simulate sandisk-ultra-64 --send";

/// A bench that knows a server.
fn bench_of(team: &Team) -> Bench {
    let bench = Bench::new();
    bench.file("token", TOKEN);
    let line = format!("send --to {} --token-file token", team.address);
    bench.run(&line).exits_with(0).says(&["@send-ready", "pi5"]);
    team.requests();
    bench
}

fn outbox(bench: &Bench) -> Vec<String> {
    let store = SqliteStore::new(bench.store_file());
    store.access().outbox().unwrap().into_iter().map(|unsent| unsent.id).collect()
}

fn ids(bench: &Bench) -> Vec<String> {
    bench.saved().into_iter().map(|report| report.id).collect()
}

/// The ids of Reports that were sent, in order.
fn sent(requests: &[Request]) -> Vec<String> {
    let reports = requests.iter().filter(|request| request.line.starts_with("POST"));
    reports.map(|request| json::from_json(&request.body).unwrap().id).collect()
}

fn say(status: u16, body: &str) -> Answer {
    Answer::Say(status, "", body.to_string())
}

#[track_caller]
fn has_no_token(outcome: &Outcome) {
    let all = format!("{}{}", outcome.stdout, outcome.stderr).to_ascii_lowercase();
    assert!(!all.contains(&TOKEN[3..20]), "{all}");
}

#[test]
fn a_server_is_made_known_for_its_user_alone() {
    let (team, bench) = (Team::start(), Bench::new());
    let file = bench.home().join(".config/cardiograph/server.toml");
    bench.run("send @last --to http://127.0.0.1:9").exits_with(2).complains(&["@send-no-server.address"]);
    bench.run(CHECK).exits_with(2).complains(&["@send-no-server"]);
    bench.file("token", &format!("{TOKEN}\n"));
    bench.file("wrong", &TOKEN.replace('5', "6"));
    bench.file("short", &TOKEN[..40]);
    let to = format!("send --to {}", team.address);
    let cases = [
        (format!("{to} --token-file wrong"), 3, "@send-answer.token"),
        (format!("{to} --token-file short"), 2, "@send-not-a-token"),
        (format!("{to} --token-file none"), 2, "none: "),
        (format!("{to} --token-file token --ca none"), 2, "@send-no-ca"),
        (to.clone(), 2, "@send-no-terminal"),
        ("send --to http://team.example --token-file token".to_string(), 2, "@send-address.open"),
        // Nobody listens there.
        ("send --to http://127.0.0.1:1 --token-file token".to_string(), 3, "http://127.0.0.1:1: "),
        // A token in the list of processes.
        (format!("send {TOKEN}"), 2, "@send-token-shown"),
        (format!("{to} --token-file {TOKEN}"), 2, "@send-token-shown"),
        (format!("send --to https://{TOKEN}@127.0.0.1"), 2, "@send-address.secret"),
        (format!("{CHECK} https://{TOKEN}@127.0.0.1"), 2, "@send-address.secret"),
        (format!("{CHECK} /mnt"), 2, "@send-address"),
        (format!("{to} --token {TOKEN}"), 2, ""),
        (format!("{to} --token={TOKEN}"), 2, ""),
    ];
    for (line, code, message) in cases {
        let _ = std::fs::remove_file(&file);
        let outcome = bench.run(&line).exits_with(code);
        if !message.is_empty() {
            outcome.complains(&[message]);
        }
        has_no_token(&outcome);
        assert_eq!(file.exists(), code == 0, "{line}");
    }
    let outcome = bench.run(&format!("{to} --token-file token")).exits_with(0);
    has_no_token(&outcome);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let outcome = bench.run(CHECK).exits_with(2);
    outcome.complains(&["@send-file.readable", "0640"]);
    assert!(ids(&bench).is_empty(), "nothing was measured");
}

#[test]
fn the_token_is_typed_unseen() {
    if !Path::new("/usr/bin/setsid").exists() {
        return skip("typing a token in a terminal", "there is no setsid");
    }
    let (team, bench) = (Team::start(), Bench::new());
    let mut terminal = Terminal::start(&bench, (24, 100));
    terminal.expect("the prompt", ends_with_prompt);
    terminal.send(&format!("'{PROGRAM}' send --to {}\n", team.address));
    terminal.expect("the question", |screen| screen.trim_end().ends_with("(it is not shown):"));
    terminal.send(&format!("{TOKEN}\n"));
    terminal.expect("the end", |screen| screen.contains("pi5") && ends_with_prompt(screen));
    // The terminal shows again what is typed.
    terminal.send("echo vis''ible\n");
    terminal.expect("echo", |screen| screen.contains("echo vis''ible") && screen.contains("\nvisible"));
    assert!(!terminal.screen().contains(&TOKEN[3..20]), "{}", terminal.screen());
}

#[test]
fn a_checkup_is_sent_once_it_is_saved() {
    let team = Team::start();
    let bench = bench_of(&team);
    let outcome = bench.run(CHECK).exits_with(0);
    let id = bench.saved_report().id;
    outcome.says(&["/checkups/", &format!("{}/checkups/{id}", team.address)]);
    has_no_token(&outcome);
    let requests = team.requests();
    let lines: Vec<&str> = requests.iter().map(|request| request.line.as_str()).collect();
    assert_eq!(
        lines,
        ["GET /api/v1/me", "POST /api/v1/checkups"],
        "a wrong token is noticed before the checkup"
    );
    assert_eq!(json::from_json(&requests[1].body).unwrap(), bench.saved_report());
    assert!(outbox(&bench).is_empty());
    bench.run("send").exits_with(0).says(&["@send-nothing"]);
    // What is asked for is sent, although the server has it.
    team.answer([Answer::Take(200, "same")]);
    bench.run(&format!("send @last {id}")).exits_with(0).says(&["/checkups/"]);
    assert_eq!(sent(&team.requests()), [id]);
    bench.run("send label:none").exits_with(2).complains(&["none"]);
}

#[test]
fn a_wrong_token_is_noticed_before_the_checkup_and_ends_nothing() {
    let team = Team::start();
    let bench = bench_of(&team);
    let file = bench.home().join(".config/cardiograph/server.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace(TOKEN, &TOKEN.replace('5', "6"))).unwrap();
    let outcome = bench.run(CHECK).exits_with(0);
    outcome.complains(&["@send-early", "@send-later"]);
    assert_eq!(outbox(&bench), ids(&bench));
}

#[test]
fn what_cannot_be_sent_is_kept_and_sent_later() {
    let team = Team::start();
    let bench = bench_of(&team);
    team.answer([say(503, r#"{"error": "the store is full"}"#)]);
    bench.run(CHECK).exits_with(0).complains(&["@send-later", "the store is full", "cardiograph send"]);
    let first = bench.saved_report().id;
    assert_eq!(outbox(&bench), [first.as_str()]);
    team.answer([say(500, "")]);
    bench.run("send").exits_with(3).complains(&["@send-kept", &first]);
    team.requests();
    // The next one takes it along.
    bench.run(&format!("{CHECK} --seed 7")).exits_with(0).says(&["/checkups/", "@send-earlier"]);
    let order = sent(&team.requests());
    assert_eq!((order.len(), order[1].as_str()), (2, first.as_str()));
    assert!(outbox(&bench).is_empty());
    // Refused for good: said, and not tried again.
    team.answer([say(422, r#"{"error": "of a later version"}"#)]);
    let refused = bench.run(&format!("send {first}")).exits_with(3);
    refused.complains(&["@send-refused", "of a later version"]);
    assert!(outbox(&bench).is_empty());
    team.answer([say(409, r#"{"error": "not yours"}"#)]);
    bench.run(&format!("{CHECK} --seed 8")).exits_with(3).complains(&["@send-refused", "not yours"]);
    assert_eq!(ids(&bench).len(), 3, "saved all the same");
}

#[test]
fn a_program_that_is_killed_while_it_sends_forgets_nothing() {
    let team = Team::start();
    let bench = bench_of(&team);
    team.answer([Answer::Stall(Duration::from_secs(3))]);
    let mut running = bench.start(CHECK);
    let mut seen = Vec::new();
    running.wait_until(
        || {
            seen.extend(team.requests());
            !sent(&seen).is_empty()
        },
        "the Report is on its way",
    );
    running.signal("KILL");
    drop(running);
    assert_eq!(outbox(&bench), ids(&bench));
    bench.run("send").exits_with(0).says(&["/checkups/"]);
    assert_eq!(sent(&team.requests()), ids(&bench));
}

#[test]
fn a_checkup_that_somebody_ends_is_left_for_later() {
    if crate::common::signal_is_ignored("TERM") {
        return skip("a checkup that is ended while it is to be sent", "SIGTERM is ignored");
    }
    let team = Team::start();
    let bench = bench_of(&team);
    let mut running = bench.start("check . --send");
    bench.wait_for_steps(1, &mut running);
    running.signal("TERM");
    let outcome = running.finish().exits_with(128 + 15);
    outcome.says(&["@send-not-tried"]);
    assert_eq!(outbox(&bench), ids(&bench));
    assert!(sent(&team.requests()).is_empty());
}

#[test]
fn jobs_and_imports_are_sent_too() {
    let team = Team::start();
    let bench = bench_of(&team);
    bench.file("job.fio", "[a]\nrw=randread\nsize=1m\n");
    bench.run("run job.fio --send").exits_with(0).says(&["/checkups/"]);
    assert_eq!(sent(&team.requests()), ids(&bench));
    let dd = "$ dd if=/dev/sda of=/dev/null bs=1M count=1024 iflag=direct\n1024+0 records in\n1024+0 records out\n\
              1073741824 bytes (1.1 GB, 1.0 GiB) copied, 10.5 s, 102 MB/s\n";
    bench.file("dd.txt", dd);
    bench.run("import dd.txt --send --label x").exits_with(0).says(&["/checkups/"]);
    let requests = sent(&team.requests());
    assert_eq!(requests.len(), 1);
    bench.run("import dd.txt --dry-run --send").exits_with(2);
    bench.run(&format!("{CHECK} --no-keep")).exits_with(2);
    // Another store is named in the command that sends later.
    team.answer([Answer::Drop]);
    bench
        .run("import dd.txt --send --store own.db")
        .exits_with(0)
        .complains(&["cardiograph send --store own.db"]);
    bench.run("send --store own.db").exits_with(0).says(&["/checkups/"]);
}

#[test]
fn a_server_that_is_no_longer_known_does_not_hold_up_the_others() {
    let (old, new) = (Team::start(), Team::start());
    let bench = bench_of(&old);
    old.answer([Answer::Drop]);
    bench.run(CHECK).exits_with(0).complains(&["@send-later"]);
    let file = bench.home().join(".config/cardiograph/server.toml");
    std::fs::remove_file(&file).unwrap();
    bench.run(&format!("send --to {} --token-file token", new.address)).exits_with(0);
    new.answer([Answer::Drop]);
    bench.run(&format!("{CHECK} --seed 7")).exits_with(0).complains(&["@send-later"]);
    assert_eq!(outbox(&bench).len(), 2);
    let outcome = bench.run("send").exits_with(3);
    outcome.says(&["/checkups/", &new.address]).complains(&["@send-no-server.address", &old.address]);
    assert_eq!(outbox(&bench).len(), 1);
}
