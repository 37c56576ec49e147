//! What only a store on a database server has to stand.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cardiograph_core::Report;
use cardiograph_core::message::Message;
use cardiograph_store::{Query, Store, StoreError, open};
use cardiograph_testing::postgres::{Database, Server};
use cardiograph_testing::{reports, skip};

fn store(url: &str) -> Box<dyn Store> {
    open(Path::new(url)).unwrap()
}

fn database(what: &str) -> Option<Database> {
    Database::new().inspect_err(|reason| skip(what, reason)).ok()
}

#[test]
fn two_stores_migrate_a_database_at_the_same_time() {
    let Some(database) = database("two migrations at once on PostgreSQL") else { return };
    std::thread::scope(|scope| {
        for number in 0..6 {
            let url = &database.url;
            scope.spawn(move || store(url).save(&reports::finished(&format!("a{number}"), 1, 1)).unwrap());
        }
    });
    assert_eq!(store(&database.url).find(&Query::default()).unwrap().len(), 6);
}

#[test]
fn a_later_schema_and_the_tables_of_others_are_refused() {
    let Some(database) = database("strange schemas on PostgreSQL") else { return };
    let name = database.url.split(['/', '?']).nth(3).unwrap();
    let place = |url: &str| store(url).place().to_path_buf();
    database.server.psql(name, &["-c", "CREATE TABLE run (number INT)"]).unwrap();
    let refused = store(&database.url).save(&reports::report("a", 1)).unwrap_err().message();
    assert_eq!(refused.id(), "store-server-foreign");
    assert_eq!(store(&database.url).find(&Query::default()).unwrap(), []);
    database.server.psql(name, &["-c", "DROP TABLE run"]).unwrap();
    store(&database.url).save(&reports::report("a", 1)).unwrap();
    database.server.psql(name, &["-c", "UPDATE schema_version SET version = 4711"]).unwrap();
    for refused in [
        store(&database.url).save(&reports::report("a", 1)).unwrap_err(),
        store(&database.url).find(&Query::default()).unwrap_err(),
    ] {
        assert!(matches!(refused, StoreError::TooNew { found: 4711, .. }), "{refused}");
        assert!(refused.to_string().contains(&place(&database.url).display().to_string()));
    }
}

/// Pooled connections are lost; the next operation makes a new one.
#[test]
fn a_restarted_server_is_connected_to_again() {
    let server = match Server::start("-c listen_addresses=") {
        Ok(server) => Arc::new(server),
        Err(reason) => return skip("PostgreSQL restarted", &reason),
    };
    let database = Database::on(server.clone()).unwrap();
    let store = store(&database.url);
    for number in 0..3 {
        let report = reports::finished(&format!("a{number}"), 1, 2);
        store.save(&report).unwrap();
        server.control("restart").unwrap();
        assert_eq!(store.load(&report.id).unwrap(), report);
        store.remove(&[&report.id]).unwrap();
        server.control("restart").unwrap();
    }
    // A server that is restarted while threads save: nothing is lost, and nothing is there twice.
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..60 {
                    let report = reports::finished(&format!("t{thread}-{number:02}"), 1 + number, 1);
                    while let Err(error) = store.save(&report) {
                        assert_eq!(error.message().id(), "store-database", "{error}");
                        std::thread::sleep(Duration::from_millis(20));
                    }
                }
            });
        }
        (0..3).for_each(|_| {
            std::thread::sleep(Duration::from_millis(150));
            server.control("restart").unwrap();
        });
    });
    assert_eq!(store.find(&Query::default()).unwrap().len(), 180);
    server.control("stop").unwrap();
    let refused = store.save(&reports::report("z", 1)).unwrap_err().message();
    assert_eq!(refused.id(), "store-database");
}

#[test]
fn threads_that_save_the_same_id_do_not_disturb_each_other() {
    let Some(database) = database("the same id saved by several threads on PostgreSQL") else { return };
    let store = store(&database.url);
    let version = |thread: usize| {
        let mut report: Report = reports::finished("a", 1, 3 + thread % 3);
        report.notes.push(Message::verbatim(format!("thread {thread}")));
        report
    };
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let store = &store;
            scope.spawn(move || (0..10).for_each(|_| store.save(&version(thread)).unwrap()));
        }
    });
    let kept = store.load("a").unwrap();
    assert!((0..6).any(|thread| kept == version(thread)), "{:?}", kept.notes);
    assert_eq!(store.find(&Query::default()).unwrap().len(), 1);
    assert_eq!(store.figures(&["a"]).unwrap().len(), 1, "figures belong to the Report that was kept");
}

#[test]
fn what_only_files_have_is_refused_by_name() {
    let Some(database) = database("repair on PostgreSQL") else { return };
    let store = store(&database.url);
    let report = reports::report("a", 1);
    assert_eq!(store.repair().unwrap_err().message().id(), "store-server-repair");
    assert_eq!(store.set_aside(&report).unwrap_err().message().id(), "store-server-no-aside");
    // PostgreSQL keeps no zero bytes in texts.
    let strange = Report { label: Some("a\0b".to_string()), ..report };
    assert_eq!(store.save(&strange).unwrap_err().message().id(), "store-database");
    assert_eq!(store.find(&Query::default()).unwrap(), []);
}

/// The server's certificate is checked, and so is its name.
#[test]
fn connections_to_other_machines_use_tls() {
    // An address of the loopback interface that nobody else uses.
    let [high, low] = (std::process::id() as u16).to_be_bytes();
    let address = format!("127.77.{high}.{low}");
    let server = match Server::start(&format!("-c listen_addresses={address}")) {
        Ok(server) => Arc::new(server),
        Err(reason) => return skip("TLS to PostgreSQL", &reason),
    };
    let san = format!("subjectAltName=IP:{address}");
    let words =
        ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "9"];
    let no_ca = "basicConstraints=critical,CA:FALSE";
    let files =
        ["-subj", "/CN=test", "-addext", no_ca, "-addext", &san, "-keyout", "key.pem", "-out", "cert.pem"];
    if let Err(reason) = server.run("/usr/bin/openssl", &[&words[..], &files].concat()) {
        return skip("TLS to PostgreSQL", &reason);
    }
    let certificate = server.directory().join("cert.pem").display().to_string();
    let key = server.directory().join("key.pem").display().to_string();
    let database = Database::on(server.clone()).unwrap();
    let name = database.url.split(['/', '?']).nth(3).unwrap();
    let at = |settings: &str| format!("postgresql://postgres@{address}/{name}?{settings}");
    let save = |settings: &str| {
        store(&at(settings)).save(&reports::report("a", 1)).map_err(|error| error.to_string())
    };
    // A server without TLS is refused, unless that is asked for.
    assert!(save("").unwrap_err().contains("TLS"), "{:?}", save(""));
    save("sslmode=disable").unwrap();
    for setting in [
        "ssl = on".to_string(),
        format!("ssl_cert_file = '{certificate}'"),
        format!("ssl_key_file = '{key}'"),
    ] {
        server.psql("postgres", &["-c", &format!("ALTER SYSTEM SET {setting}")]).unwrap();
    }
    server.control("restart").unwrap();
    save(&format!("sslmode=verify-full&sslrootcert={certificate}")).unwrap();
    let unknown = save("sslmode=require").unwrap_err();
    assert!(unknown.contains("certificate"), "{unknown}");
}

#[test]
fn passwords_are_in_no_error() {
    let url = "postgresql://ann:s3cret@127.0.0.1:1/drives?connect_timeout=1";
    let store = store(url);
    let refused = store.save(&reports::report("a", 1)).unwrap_err();
    let all = format!("{refused} {refused:?} {}", store.place().display());
    assert!(!all.contains("s3cret"), "{all}");
    assert!(all.contains("ann@127.0.0.1:1/drives"), "{all}");
}
