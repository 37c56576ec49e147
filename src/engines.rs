//! `cardiograph engines`: lists engines and simulated drives.

use cardiograph_catalogue::english;
use cardiograph_core::{Message, message};
use cardiograph_engine::sim::{DriveModel, MODELS};
use cardiograph_engine::{ENGINES, find_substitute};
use cardiograph_render::doc::{Doc, Item, Node};
use serde_json::json;

use crate::cli::DataExports;
use crate::exit::{DONE, Failure};
use crate::export::Exports;
use crate::screen::Screen;

pub fn run(data: &DataExports, screen: &Screen) -> Result<u8, Failure> {
    let exports = Exports::open(data.files())?;
    let engines = ENGINES.iter().map(|entry| {
        let missing = (entry.probe)().err().map(|unavailable| match find_substitute(entry) {
            Some(other) => {
                message!("list-engines-missing.instead", reason = unavailable, engine = other.name)
            }
            None => message!("list-engines-missing", reason = unavailable),
        });
        let grounds = missing.into_iter().collect();
        Item { grounds, ..Item::new(Message::verbatim(entry.name), vec![entry.summary.clone()]) }
    });
    let model = |name: &str| DriveModel::named(name).map(|model| model.title.clone()).unwrap_or_default();
    let models = MODELS
        .iter()
        .map(|(name, _)| Item::new(Message::verbatim(*name), vec![Message::verbatim(model(name))]));
    let sections = [
        Node::section("engines", message!("list-engines"), Node::from_items(engines.collect())),
        Node::section("drives", message!("list-engines-drives"), Node::from_items(models.collect())),
    ];
    let doc = Doc::untitled(sections.into_iter().flatten().collect());
    let to_json = || {
        let engines = ENGINES.iter().map(|entry| {
            let missing =
                (entry.probe)().err().map(|why| english(&message!("list-engines-missing", reason = why)));
            json!({"name": entry.name, "summary": english(entry.summary), "missing": missing})
        });
        let drives = MODELS.iter().map(|(name, _)| json!({"name": name, "title": model(name)}));
        let all = json!({"engines": engines.collect::<Vec<_>>(), "drives": drives.collect::<Vec<_>>()});
        format!("{all:#}\n")
    };
    exports.show(&doc, to_json, screen).map(|()| DONE)
}
