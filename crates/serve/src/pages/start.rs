//! Starting a checkup on this host.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use cardiograph_checkup::checkup::Task;
use cardiograph_core::drive::Drive;
use cardiograph_core::{Message, message};
use cardiograph_render::doc;
use cardiograph_render::html::{self, Html};
use cardiograph_suites::SUITES;
use serde::Deserialize;

use super::page;
use crate::api::planned;
use crate::live::Wish;
use crate::problem::Problem;
use crate::server::Server;
use crate::visitor::Visitor;

/// What somebody filled in.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Fields {
    /// A simulated drive instead of the path.
    simulate: String,
    /// One of the places that are offered.
    place: String,
    /// Another one.
    path: String,
    suite: String,
    /// Settings of the suite, NAME=VALUE, one in each line.
    settings: String,
    label: String,
    /// The id of the device to erase.
    consent: String,
    may_write_much: Option<String>,
    /// Whether only the outline is wanted.
    plan: Option<String>,
}

impl Fields {
    /// What they ask for.
    ///
    /// # Errors
    /// A line that is no setting.
    fn wish(&self) -> Result<Wish, Problem> {
        let some = |text: &str| Some(text.trim().to_string()).filter(|text| !text.is_empty());
        let lines = self.settings.lines().map(str::trim).filter(|line| !line.is_empty());
        let setting = |line: &str| match line.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_string(), value.trim().to_string())),
            None => Err(Problem::bad(message!("serve-not-a-setting", line))),
        };
        let task = Task {
            path: PathBuf::from(some(&self.path).as_deref().unwrap_or(self.place.trim())),
            simulate: some(&self.simulate),
            suite: some(&self.suite).unwrap_or_else(|| cardiograph_suites::DEFAULT.to_string()),
            settings: lines.map(setting).collect::<Result<_, _>>()?,
            label: some(&self.label),
            consents: some(&self.consent).into_iter().collect(),
            keeps_report: true,
            ..Task::default()
        };
        Ok(Wish { task, may_write_much: self.may_write_much.is_some() })
    }
}

/// Shows the form.
pub async fn form(State(server): State<Arc<Server>>, visitor: Visitor) -> Response {
    filled(&server, &visitor, &Fields::default(), |_| {}).await
}

/// Starts a checkup, or shows what it would do, or why it cannot begin.
pub async fn begin(
    State(server): State<Arc<Server>>,
    visitor: Visitor,
    Form(fields): Form<Fields>,
) -> Response {
    let wish = match fields.wish() {
        Ok(wish) => wish,
        Err(refused) => return refused_form(&server, &visitor, &fields, &refused).await,
    };
    if fields.plan.is_some() {
        return match planned(&server, wish.task).await {
            Ok(nodes) => {
                let outline = |html: &mut Html| {
                    html.words("h2", &[], &html.lang.text(&message!("serve-outline")));
                    html::add(html, &nodes);
                };
                filled(&server, &visitor, &fields, outline).await
            }
            Err(refused) => refused_form(&server, &visitor, &fields, &refused).await,
        };
    }
    match crate::api::begin(&server, &visitor, wish).await {
        Ok(id) => Redirect::to(&format!("/live/{id}")).into_response(),
        Err(refused) => refused_form(&server, &visitor, &fields, &refused).await,
    }
}

async fn refused_form(
    server: &Arc<Server>,
    visitor: &Visitor,
    fields: &Fields,
    refused: &Problem,
) -> Response {
    let mut messages = refused.messages.clone();
    if let Some(needs) = &refused.needs {
        messages.extend([needs.question.clone(), message!("consent-prompt", id = &needs.id)]);
    }
    let why = |html: &mut Html| alert(html, &messages);
    let mut response = filled(server, visitor, fields, why).await;
    *response.status_mut() =
        if refused.status.is_server_error() { refused.status } else { StatusCode::UNPROCESSABLE_ENTITY };
    response
}

fn alert(html: &mut Html, messages: &[Message]) {
    let language = html.lang;
    html.element("div", &[("role", "alert"), ("class", "banner")], |html| {
        messages.iter().for_each(|message| html.words("p", &[], &language.text(message)));
    });
}

/// The form as it was filled in, below what `above` adds.
async fn filled(
    server: &Arc<Server>,
    visitor: &Visitor,
    fields: &Fields,
    above: impl FnOnce(&mut Html),
) -> Response {
    let asking = server.clone();
    let drives = server.work(move |_| asking.live.drives()).await;
    let form = [("class", "stack"), ("method", "post"), ("action", "/start"), ("data-start", "")];
    page(visitor, &message!("serve-nav.start"), |html| {
        above(html);
        html.element("form", &form, |html| {
            match &drives {
                Ok(drives) => places(html, drives, fields),
                // A directory can still be written.
                Err(problem) => alert(html, &problem.messages),
            }
            field(html, &message!("serve-start.path"), ("path", &fields.path));
            let real = std::iter::once(("", message!("serve-start.real")));
            let simulated = cardiograph_checkup::simulated::names().into_iter();
            let models = real.chain(simulated.map(|name| (name, Message::verbatim(name))));
            choices(html, &message!("serve-start.simulate"), ("simulate", &fields.simulate), models);
            let suites = SUITES.iter().map(|suite| {
                let (name, about) = (suite.name(), suite.summary());
                (name, message!("serve-start-suite", suite = name, about))
            });
            let suite = if fields.suite.is_empty() { cardiograph_suites::DEFAULT } else { &fields.suite };
            choices(html, &message!("serve-start.suite"), ("suite", suite), suites);
            field(html, &message!("serve-start.label"), ("label", &fields.label));
            settings(html, fields);
            if server.settings.allows_erase {
                field(html, &message!("serve-start.consent"), ("consent", &fields.consent));
            }
            confirmation(html, fields);
        });
    })
}

/// The places of this host, and what stands under them: directories on mounted drives, else the device.
fn places(html: &mut Html, drives: &[Drive], fields: &Fields) {
    if drives.is_empty() {
        return;
    }
    let language = html.lang;
    html.element("fieldset", &[], |html| {
        html.words("legend", &[], &language.text(&message!("serve-start.place")));
        html.element("ul", &[("class", "places")], |html| {
            let device = |drive: &Drive| drive.mounted_at.is_empty().then(|| drive.path.clone());
            let all = drives.iter().flat_map(|drive| {
                drive.mounted_at.iter().cloned().chain(device(drive)).map(move |place| (place, drive))
            });
            for (at, (place, drive)) in all.enumerate() {
                let is_chosen = if fields.place.is_empty() { at == 0 } else { fields.place == place };
                html.element("li", &[], |html| {
                    html.element("label", &[], |html| {
                        let input = [
                            ("type", "radio"),
                            ("name", "place"),
                            ("value", place.as_str()),
                            ("checked", ""),
                        ];
                        html.void("input", &input[..3 + usize::from(is_chosen)]);
                        html.text(&format!(" {place}"));
                    });
                    html.words("span", &[("class", "quiet")], &language.text(&doc::drive_words(drive)));
                });
            }
        });
    });
}

/// Settings as lines, and which ones each suite has.
fn settings(html: &mut Html, fields: &Fields) {
    let language = html.lang;
    html.element("label", &[], |html| {
        html.text(&language.text(&message!("serve-start.settings")));
        html.element("textarea", &[("name", "settings"), ("rows", "3")], |html| html.text(&fields.settings));
    });
    html.element("details", &[], |html| {
        html.words("summary", &[], &language.text(&message!("serve-start.known")));
        for suite in SUITES.iter().filter(|suite| !suite.settings().is_empty()) {
            html.words("p", &[], suite.name());
            html.element("ul", &[], |html| {
                suite
                    .settings()
                    .iter()
                    .for_each(|setting| html.words("li", &[], &language.text(&setting.message())));
            });
        }
    });
}

/// Whether it may write much, and the buttons.
fn confirmation(html: &mut Html, fields: &Fields) {
    let language = html.lang;
    html.element("label", &[], |html| {
        let on = [("type", "checkbox"), ("name", "may_write_much"), ("value", "yes"), ("checked", "")];
        html.void("input", &on[..3 + usize::from(fields.may_write_much.is_some())]);
        html.text(" ");
        html.text(&language.text(&message!("serve-start.much")));
    });
    html.element("p", &[], |html| {
        html.words("button", &[("class", "main")], &language.text(&message!("serve-start.begin")));
        html.text(" ");
        let plan = [("name", "plan"), ("value", "yes")];
        html.words("button", &plan, &language.text(&message!("serve-start.plan")));
    });
}

fn field(html: &mut Html, label: &Message, (name, value): (&str, &str)) {
    html.element("label", &[], |html| {
        html.text(&html.lang.text(label));
        html.void("input", &[("type", "text"), ("name", name), ("value", value), ("autocomplete", "off")]);
    });
}

fn choices<'a>(
    html: &mut Html,
    label: &Message,
    (name, chosen): (&str, &str),
    all: impl Iterator<Item = (&'a str, Message)>,
) {
    let language = html.lang;
    html.element("label", &[], |html| {
        html.text(&language.text(label));
        html.element("select", &[("name", name)], |html| {
            for (value, text) in all {
                let attributes = [("value", value), ("selected", "")];
                html.words("option", &attributes[..1 + usize::from(value == chosen)], &language.text(&text));
            }
        });
    });
}
