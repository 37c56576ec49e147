//! `cardiograph suites`: lists suites, applications and purposes.

use cardiograph_apps::LOADS;
use cardiograph_catalogue::english;
use cardiograph_core::{Message, message};
use cardiograph_judge::purpose::PURPOSES;
use cardiograph_render::doc::{Doc, Item, Node};
use cardiograph_suites::{Group, SUITES, Setting, Settings, Suite};
use serde_json::json;

use crate::cli::DataExports;
use crate::exit::{DONE, Failure};
use crate::export::Exports;
use crate::help::joined_names;
use crate::screen::Screen;

pub fn run(data: &DataExports, screen: &Screen) -> Result<u8, Failure> {
    let exports = Exports::open(data.files())?;
    let doc = Doc::untitled(sections());
    exports.show(&doc, to_json, screen).map(|()| DONE)
}

fn group_of(suite: &dyn Suite) -> Group {
    suite.traits(&Settings::default()).group
}

fn sections() -> Vec<Node> {
    let group = |group: Group| {
        let suites = SUITES.iter().filter(|suite| group_of(**suite) == group).map(|suite| item(*suite));
        Node::section(
            "suites",
            message!("list-suites", group = group.title()),
            Node::from_items(suites.collect()),
        )
    };
    let named = |name: &str, text: &Message| Item::new(Message::verbatim(name), vec![text.clone()]);
    let apps = LOADS.iter().map(|load| named(load.name, &load.summary)).collect();
    let purposes = PURPOSES.iter().map(|purpose| named(&purpose.id, &purpose.title)).collect();
    let others = [
        Node::section("apps", message!("list-suites-apps"), Node::from_items(apps)),
        Node::section("purposes", message!("list-suites-purposes"), Node::from_items(purposes)),
    ];
    Group::ALL.into_iter().map(group).chain(others).flatten().collect()
}

/// The name, summary and settings of a suite.
fn item(suite: &dyn Suite) -> Item {
    let name = match suite.name() {
        name if name == cardiograph_suites::DEFAULT => message!("list-suites-default", suite = name),
        name => Message::verbatim(name),
    };
    let settings = suite.settings().iter().map(Setting::message);
    let claims = suite.claim_ids();
    let claims = (!claims.is_empty()).then(|| message!("list-suites-claims", claims = joined_names(claims)));
    let grounds = suite.remarks().into_iter().chain(settings).chain(claims).collect();
    Item { grounds, ..Item::new(name, vec![suite.summary()]) }
}

fn to_json() -> String {
    let suites = SUITES.iter().map(|suite| {
        let settings = suite.settings().iter().map(|setting| {
            json!({
                "name": setting.name,
                "form": setting.kind.form(),
                "default": setting.default,
                "help": english(setting.help),
            })
        });
        json!({
            "name": suite.name(),
            "group": english(&group_of(*suite).title()),
            "summary": english(&suite.summary()),
            "remarks": suite.remarks().iter().map(english).collect::<Vec<_>>(),
            "settings": settings.collect::<Vec<_>>(),
            "claims": suite.claim_ids(),
        })
    });
    let purposes = PURPOSES.iter().map(|purpose| json!({"id": purpose.id, "title": english(&purpose.title)}));
    let apps = LOADS.iter().map(|load| json!({"name": load.name, "summary": english(&load.summary)}));
    let all = json!({
        "suites": suites.collect::<Vec<_>>(),
        "apps": apps.collect::<Vec<_>>(),
        "purposes": purposes.collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}
