//! The JSON Schema of the frames in `docs`, generated from their types.

use cardiograph_core::Message;
use cardiograph_core::drive::{DriveHealth, Passport};
use cardiograph_core::replay::{Recording, RecordingProblem};
use cardiograph_jobs::resolve::FileFacts;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::cleaned::Cleaned;
use crate::job_runner::PreparedJobs;
use crate::run::Ran;
use crate::runner::{Begun, DriveLeft, Looked, Opened, StepRun};
use crate::wire::{FromAgent, ToAgent, VERSION};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/agent.schema.json");

fn subschema<T: JsonSchema>(types: &mut SchemaGenerator) -> Value {
    types.subschema_for::<T>().to_value()
}

/// The answer of each call, by its name.
type Answer = (&'static str, fn(&mut SchemaGenerator) -> Value);

const ANSWERS: [Answer; 20] = [
    ("open", subschema::<Opened>),
    ("look", subschema::<Looked>),
    ("make_ready", subschema::<()>),
    ("begin", subschema::<Begun>),
    ("step", subschema::<StepRun>),
    ("leave", subschema::<DriveLeft>),
    ("health", subschema::<Vec<DriveHealth>>),
    ("clean", subschema::<Cleaned>),
    ("file", subschema::<FileFacts>),
    ("is_directory", subschema::<bool>),
    ("pattern_file", subschema::<Result<Vec<u8>, Message>>),
    ("recording", subschema::<Result<Recording, RecordingProblem>>),
    ("free_bytes", subschema::<Option<u64>>),
    ("passport", subschema::<Passport>),
    ("prepare", subschema::<PreparedJobs>),
    ("make_file", subschema::<PreparedJobs>),
    ("run", subschema::<Ran>),
    ("end_logs", subschema::<()>),
    ("finish", subschema::<Vec<String>>),
    ("remove_leftovers", subschema::<bool>),
];

fn schema() -> Value {
    let mut types = SchemaGenerator::default();
    let messages = [subschema::<ToAgent>(&mut types), subschema::<FromAgent>(&mut types)];
    let answers: Map<String, Value> =
        ANSWERS.iter().map(|(call, answer)| (call.to_string(), answer(&mut types))).collect();
    let mut defs = types.take_definitions(true);
    let answers = json!({
        "title": "answers",
        "description": "What a `reply` to each call holds.",
        "type": "object",
        "properties": answers,
    });
    defs.insert("answers".to_string(), answers);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("cardiograph-agent-{VERSION}.schema.json"),
        "title": "cardiograph agent",
        "description": "A frame to the Agent, or from it.",
        "anyOf": messages,
        "$defs": defs,
    })
}

#[test]
fn the_committed_schema_matches_the_types() {
    let text = format!("{:#}\n", schema());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(PATH, &text).unwrap();
    }
    let committed = std::fs::read_to_string(PATH).unwrap_or_default();
    assert!(
        committed == text,
        "docs/agent.schema.json is not the schema of the types: UPDATE_GOLDEN=1 writes it anew; the frames need a new version"
    );
}

/// The schema of the calls names each in an object with one key, or as a word.
#[test]
fn each_call_has_an_answer() {
    let schema = schema();
    let named = |call: &Value| match &call["required"][0] {
        Value::String(name) => vec![name.clone()],
        _ => match call.get("const") {
            Some(name) => vec![name.as_str().unwrap().to_string()],
            None => call["enum"]
                .as_array()
                .unwrap()
                .iter()
                .map(|name| name.as_str().unwrap().to_string())
                .collect(),
        },
    };
    let mut calls: Vec<String> =
        schema["$defs"]["Call"]["oneOf"].as_array().unwrap().iter().flat_map(named).collect();
    let mut answers: Vec<String> =
        schema["$defs"]["answers"]["properties"].as_object().unwrap().keys().cloned().collect();
    calls.sort();
    answers.sort();
    assert_eq!(calls, answers);
}
