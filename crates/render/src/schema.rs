//! The JSON Schemas of a Report and a passport in `docs`, generated from their types.

use cardiograph_core::Report;
use cardiograph_core::drive::{PASSPORT_VERSION, Passport};
use cardiograph_core::report::REPORT_VERSION;
use schemars::JsonSchema;
use serde_json::Value;

/// A schema (JSON Schema 2020-12), and its name in `docs`. Its id has no host name: it ships with the program
/// and is not on a network.
struct SchemaFile {
    name: &'static str,
    schema: Value,
}

fn schemas() -> [SchemaFile; 2] {
    [
        SchemaFile { name: "report.schema.json", schema: schema::<Report>("report", REPORT_VERSION) },
        SchemaFile { name: "passport.schema.json", schema: schema::<Passport>("passport", PASSPORT_VERSION) },
    ]
}

fn schema<T: JsonSchema>(what: &str, version: u32) -> Value {
    let mut schema = schemars::schema_for!(T);
    schema.insert("$id".to_string(), format!("cardiograph-{what}-{version}.schema.json").into());
    schema.insert("title".to_string(), format!("cardiograph {what}").into());
    schema.to_value()
}

#[test]
fn the_committed_schemas_are_the_types() {
    for SchemaFile { name, schema } in schemas() {
        let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = format!("{schema:#}\n");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            committed == text,
            "docs/{name} is not the schema of the types: UPDATE_GOLDEN=1 writes it anew; look at the difference; a form \
             that older readers cannot read needs a new version"
        );
    }
}

#[test]
fn schemas_name_themselves_and_explain_their_fields() {
    for (file, title, id, field) in [
        (&schemas()[0], "cardiograph report", "cardiograph-report-1.schema.json", "verdicts"),
        (&schemas()[1], "cardiograph passport", "cardiograph-passport-1.schema.json", "drives"),
    ] {
        let schema = &file.schema;
        assert_eq!((schema["title"].as_str(), schema["$id"].as_str()), (Some(title), Some(id)));
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        let properties = schema["properties"].as_object().unwrap();
        assert!(properties.contains_key(field));
        assert!(schema["required"].as_array().unwrap().contains(&field.into()));
        for (name, property) in properties {
            assert!(property.get("description").is_some(), "{name} is not explained");
        }
    }
}
