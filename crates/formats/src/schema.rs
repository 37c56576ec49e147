//! The JSON Schema of a Report, made from its types.

use cardiograph_core::Report;
use cardiograph_core::report::REPORT_VERSION;
use serde_json::Value;

/// The schema (JSON Schema 2020-12). Its id has no host name: it is found beside the program, not in a network.
pub fn report_schema() -> Value {
    let mut schema = schemars::schema_for!(Report);
    schema.insert("$id".to_string(), format!("cardiograph-report-{REPORT_VERSION}.schema.json").into());
    schema.insert("title".to_string(), "cardiograph report".into());
    schema.to_value()
}

/// The schema as the text of `docs/report.schema.json`.
pub fn report_schema_text() -> String {
    format!("{:#}\n", report_schema())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schema_is_the_types() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/report.schema.json");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(path, report_schema_text()).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == report_schema_text(),
            "docs/report.schema.json is not the schema of the types: run `cargo xtask schema` and look at the \
             difference; a form that older readers cannot read needs a new REPORT_VERSION"
        );
    }

    #[test]
    fn the_schema_names_itself_and_explains_its_fields() {
        let schema = report_schema();
        assert_eq!(schema["title"], "cardiograph report");
        assert_eq!(schema["$id"], "cardiograph-report-1.schema.json");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        let properties = schema["properties"].as_object().unwrap();
        assert!(properties.contains_key("verdicts"));
        let required = schema["required"].as_array().unwrap();
        assert!(required.contains(&"report_version".into()));
        for (name, property) in properties {
            assert!(property.get("description").is_some(), "{name} is not explained");
        }
    }
}
