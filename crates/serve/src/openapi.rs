//! The description of the API in `docs`, generated from its types and the table of routes.

use std::collections::BTreeSet;

use axum::http::{Method, StatusCode};
use cardiograph_checkup::checkup::Task;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::api::{Outlined, Started, chart, ingest, lists};
use crate::live::Wish;
use crate::pages::Refused;
use crate::role::{Needs, Role};
use crate::routes::routes;

/// Where schemas are in the document.
const SCHEMAS: &str = "/components/schemas";
const FILE: &str = "openapi.json";

/// What a method of a path does.
struct Operation {
    name: &'static str,
    summary: &'static str,
    /// Parameters after `?`: an object's properties.
    query: Option<Value>,
    body: Option<Value>,
    /// Answers other than refusals.
    answers: Vec<(StatusCode, Value)>,
}

impl Operation {
    fn new(name: &'static str, summary: &'static str, answers: &[(StatusCode, &Value)]) -> Self {
        let answers = answers.iter().map(|(status, content)| (*status, (*content).clone())).collect();
        Self { name, summary, query: None, body: None, answers }
    }

    fn asked(self, query: Value) -> Self {
        Self { query: Some(query), ..self }
    }

    fn sent(self, body: Value) -> Self {
        Self { body: Some(body), ..self }
    }
}

fn content(kind: &str, schema: Value) -> Value {
    json!({ kind: { "schema": schema } })
}

fn json_of<T: JsonSchema>(types: &mut SchemaGenerator) -> Value {
    content("application/json", types.subschema_for::<T>().to_value())
}

/// The properties of a type as parameters: those that are missing are not `null`.
fn query<T: JsonSchema>(types: &mut SchemaGenerator) -> Value {
    let schema = T::json_schema(types).to_value();
    let is_required =
        |name: &str| schema["required"].as_array().is_some_and(|all| all.contains(&name.into()));
    let parameter = |(name, property): (&String, &Value)| {
        let mut fields = property.as_object().expect("a schema of a property is an object").clone();
        fields.remove("default");
        let description = fields.remove("description");
        if let Some(kind) = fields.get("type").and_then(|kind| kind.get(0)).cloned() {
            fields.insert("type".to_string(), kind);
        }
        let mut parameter =
            json!({ "in": "query", "name": name, "required": is_required(name), "schema": fields });
        if let Some(description) = description {
            parameter["description"] = description;
        }
        parameter
    };
    schema["properties"].as_object().expect("it has fields").iter().map(parameter).collect()
}

fn operations(read: &mut SchemaGenerator, written: &mut SchemaGenerator) -> Vec<Operation> {
    const OK: StatusCode = StatusCode::OK;
    const CREATED: StatusCode = StatusCode::CREATED;
    const DONE: StatusCode = StatusCode::NO_CONTENT;
    let me = json_of::<ingest::Me>(written);
    let taken = json_of::<ingest::Taken>(written);
    let checkups = json_of::<lists::CheckupList>(written);
    let drives = json_of::<lists::DriveList>(written);
    let chart = json_of::<chart::Chart>(written);
    let started = json_of::<Started>(written);
    let outlined = json_of::<Outlined>(written);
    let report = json!({
        "type": "object",
        "description": "A Report, as report.schema.json of the documentation describes it.",
    });
    let report = content("application/json", report);
    let document = content("application/json", json!({ "type": "object" }));
    let events = content("text/event-stream", json!({ "type": "string" }));
    let (none, new) = (json!(null), Operation::new);
    let (task, wish) = (json_of::<Task>(read), json_of::<Wish>(read));
    let (listed, found) = (query::<lists::Checkups>(read), query::<lists::Drives>(read));
    let trend = query::<chart::Asked>(read);
    vec![
        new("GET /openapi.json", "This document.", &[(OK, &document)]),
        new("GET /me", "Whose token it is.", &[(OK, &me)]),
        new("GET /checkups", "Checkups, the newest first.", &[(OK, &checkups)]).asked(listed),
        new(
            "POST /checkups",
            "Saves a Report; gzip is allowed. The answer comes when it is on disk: 201 for a new one.",
            &[(OK, &taken), (CREATED, &taken)],
        )
        .sent(report.clone()),
        new("GET /checkups/{id}", "A Report.", &[(OK, &report)]),
        new("DELETE /checkups/{id}", "Removes a checkup.", &[(DONE, &none)]),
        new("GET /drives", "Drives.", &[(OK, &drives)]).asked(found),
        new("DELETE /drives/{key}", "Removes a drive with all of its checkups.", &[(DONE, &none)]),
        new("GET /drives/{key}/trend", "A figure over time, as a chart.", &[(OK, &chart)]).asked(trend),
        new(
            "GET /events",
            "Server-sent events: `saved` with {id, drive} for each checkup that is saved; `reset` when some are \
             forgotten. Resumed by Last-Event-ID.",
            &[(OK, &events)],
        ),
        new(
            "GET /live/{id}/events",
            "Server-sent events of a checkup that is running. Resumed by Last-Event-ID.",
            &[(OK, &events)],
        ),
        new("POST /live/{id}/stop", "Asks a checkup to end; what it has is kept.", &[(DONE, &none)]),
        new("POST /outline", "What a checkup would do. Nothing is written.", &[(OK, &outlined)]).sent(task),
        new("POST /start", "Starts a checkup on the server's host.", &[(CREATED, &started)]).sent(wish),
    ]
}

/// An operation as the document has it.
fn described(operation: Operation, path: &str, needs: Needs) -> Value {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let of_path =
        |name| json!({ "in": "path", "name": name, "required": true, "schema": { "type": "string" } });
    let mut parameters: Vec<Value> = names.map(of_path).collect();
    parameters
        .extend(operation.query.iter().flat_map(|query| query.as_array().into_iter().flatten().cloned()));
    let mut responses = Map::new();
    for (status, content) in &operation.answers {
        let reason = status.canonical_reason();
        let mut response = json!({ "description": reason });
        if content.is_object() {
            response["content"] = content.clone();
        }
        responses.insert(status.as_u16().to_string(), response);
    }
    let refused = json!({ "$ref": "#/components/responses/Refused" });
    responses.insert("default".to_string(), refused);
    let roles: Vec<&str> = Role::ALL.iter().filter(|role| role.may(needs)).map(|role| role.name()).collect();
    let roles = if needs == Needs::Nothing { "everybody".to_string() } else { roles.join(", ") };
    let mut described = json!({
        "summary": operation.summary,
        "description": format!("For: {roles}."),
        "parameters": parameters,
        "responses": responses,
    });
    if needs == Needs::Nothing {
        described["security"] = json!([]);
    }
    if let Some(content) = operation.body {
        described["requestBody"] = json!({ "required": true, "content": content });
    }
    described
}

/// What a route of the API needs, by method and path.
fn needs_of(method: &str, path: &str) -> Option<Needs> {
    let is_it = |route: &crate::routes::Route| {
        route.path == path && route.methods.names.iter().any(|name| name.as_str() == method)
    };
    routes().iter().find(|route| is_it(route)).map(|route| route.needs)
}

fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.definitions_path = SCHEMAS.into());
    let mut read = settings.clone().for_deserialize().into_generator();
    let mut written = settings.for_serialize().into_generator();
    let mut paths = Map::new();
    for operation in operations(&mut read, &mut written) {
        let (method, path) = operation.name.split_once(' ').expect("a method and a path");
        let path = format!("/api/v1{path}");
        let needs = needs_of(method, &path).unwrap_or_else(|| panic!("no route is {method} {path}"));
        let method = method.to_ascii_lowercase();
        paths.entry(&path).or_insert_with(|| json!({}))[method] = described(operation, &path, needs);
    }
    let refused = written.subschema_for::<Refused>();
    let mut schemas = read.take_definitions(true);
    for (name, schema) in written.take_definitions(true) {
        let other = schemas.insert(name.clone(), schema.clone());
        assert!(other.is_none_or(|other| other == schema), "{name} is read and written in different forms");
    }
    let refused = json!({ "description": "Why it is not done; plain text where the request itself cannot be read.", "content": content("application/json", refused.to_value()) });
    json!({
        "openapi": "3.1.1",
        "info": {
            "title": "cardiograph",
            "version": "1",
            "description": "The API of `cardiograph serve`. With 429, 503 and other 5xx, ask again later: after Retry-After seconds.",
        },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": { "Refused": refused },
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
    })
}

#[test]
fn the_committed_description_is_the_api() {
    let path = format!("{}/{FILE}", env!("CARGO_MANIFEST_DIR"));
    let text = format!("{:#}\n", document());
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "crates/serve/openapi.json is not the API: UPDATE_GOLDEN=1 writes it anew");
}

#[test]
fn each_route_of_the_api_is_described_and_nothing_else() {
    let mut there = BTreeSet::new();
    for route in routes().into_iter().filter(|route| route.path.starts_with("/api/")) {
        let name = |method: Method| (route.path.to_string(), method.as_str().to_ascii_lowercase());
        there.extend(route.methods.names.into_iter().map(name));
    }
    let document = document();
    let described: BTreeSet<(String, String)> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(|method| (path.clone(), method.clone()))
        })
        .collect();
    assert_eq!(described, there);
    // Each reference leads somewhere.
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(document.pointer(reference).is_some(), "{reference}");
    }
}
