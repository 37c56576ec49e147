//! The events of a checkup, for who watches it now and who comes later.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use cardiograph_catalogue::{Language, english};
use cardiograph_checkup::sink::{Event, Sink};
use cardiograph_core::message::with_english;
use cardiograph_core::report::{StepOutcome, StepResult, StepRole};
use cardiograph_core::{Message, Report};
use cardiograph_render::doc;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::watch;

/// Progress that is kept: two minutes, which a cardiogram shows.
const PROGRESS_MAX: usize = 600;
/// Other events that are kept.
const OTHERS_MAX: usize = 2_000;

/// The events of a checkup, numbered from 1.
pub struct Log {
    kept: Mutex<Kept>,
    latest: watch::Sender<u64>,
}

#[derive(Default)]
struct Kept {
    events: VecDeque<Arc<Sent>>,
    progress: usize,
    last: u64,
    is_ended: bool,
}

/// An event as it is sent.
pub struct Sent {
    /// Its number.
    pub number: u64,
    /// Its kind.
    pub kind: &'static str,
    value: Value,
    /// The JSON in each language, made when first asked for.
    texts: [OnceLock<String>; Language::ALL.len()],
}

impl Sent {
    /// An event with its data, in which each Message has its English text.
    pub fn new(number: u64, kind: &'static str, value: Value) -> Self {
        Self { number, kind, value, texts: Default::default() }
    }

    /// Its data as JSON, with texts in a language.
    pub fn json(&self, language: Language) -> &str {
        self.texts[language.index()].get_or_init(|| in_language(self.value.clone(), language).to_string())
    }
}

impl Default for Log {
    fn default() -> Self {
        Self { kept: Mutex::default(), latest: watch::channel(0).0 }
    }
}

impl Log {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The events after one, oldest first, and whether there will be no more.
    pub fn after(&self, number: u64) -> (Vec<Arc<Sent>>, bool) {
        let kept = self.lock();
        let newer = kept.events.iter().filter(|event| event.number > number).cloned().collect();
        (newer, kept.is_ended)
    }

    /// Changes with each event.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.latest.subscribe()
    }

    /// Whether the checkup has ended.
    pub fn is_ended(&self) -> bool {
        self.lock().is_ended
    }

    /// Adds a problem.
    pub fn trouble(&self, message: &Message) {
        self.add("trouble", message);
    }

    /// Adds a note.
    pub fn note(&self, message: &Message) {
        self.add("note", message);
    }

    /// The checkup has ended.
    pub fn end(&self, report: &Report) {
        self.add("ended", &json!({ "id": report.id, "state": report.state }));
        self.lock().is_ended = true;
        self.latest.send_modify(|latest| *latest += 1);
    }

    fn add(&self, kind: &'static str, data: &impl Serialize) {
        let value = with_english(english, || serde_json::to_value(data)).expect("events have a form in JSON");
        let mut kept = self.lock();
        kept.last += 1;
        let is_progress = kind == PROGRESS;
        kept.progress += usize::from(is_progress);
        let number = kept.last;
        kept.events.push_back(Arc::new(Sent::new(number, kind, value)));
        let others = kept.events.len() - kept.progress;
        let is_old = |event: &Arc<Sent>| (event.kind == PROGRESS) == is_progress;
        if kept.progress > PROGRESS_MAX || others > OTHERS_MAX {
            let oldest = kept.events.iter().position(is_old);
            oldest.and_then(|oldest| kept.events.remove(oldest));
            kept.progress -= usize::from(is_progress);
        }
        drop(kept);
        self.latest.send_replace(number);
    }
}

/// The kind of events that say how far an activity is.
const PROGRESS: &str = "doing";

impl Sink for Log {
    fn event(&self, event: Event) {
        match &event {
            Event::Doing(activity) => self.add(PROGRESS, activity),
            Event::Note(message) => self.note(message),
            Event::Trouble(message) => self.trouble(message),
            Event::Subject(subject) => self.add("subject", subject),
            Event::Stage(stage) => self.add("stage", stage),
            Event::Warning(message) => self.add("warning", message),
            Event::Temperature(temperature) => self.add("temperature", temperature),
        }
    }

    fn step_ended(&self, result: &StepResult) {
        let search = result.figures.as_ref().and_then(|figures| figures.fall_off.as_ref());
        if let Some(found) = search.and_then(|search| search.found) {
            self.add("fall_off", &found);
        }
        if result.step.role == StepRole::Measure || result.outcome != StepOutcome::Done {
            let rows: Vec<Value> = doc::bars_of(result)
                .iter()
                .map(|bar| {
                    with_english(
                        english,
                        || json!({ "name": bar.name, "value": bar.value, "note": bar.note }),
                    )
                })
                .collect();
            self.add("step", &json!({ "rows": rows }));
        }
    }

    fn wants_latency(&self) -> bool {
        true
    }
}

/// The value with each Message as its text in a language.
fn in_language(value: Value, language: Language) -> Value {
    /// What an object has that is a Message written with its English text.
    const FIELDS: [&str; 3] = ["id", "parameters", "text"];
    match value {
        Value::Object(object) => {
            let is_message = object.contains_key("id")
                && object.contains_key("text")
                && object.keys().all(|key| FIELDS.contains(&key.as_str()));
            match serde_json::from_value::<Message>(Value::Object(object.clone())) {
                Ok(message) if is_message => Value::String(language.text(&message)),
                _ => object.into_iter().map(|(key, value)| (key, in_language(value, language))).collect(),
            }
        }
        Value::Array(values) => values.into_iter().map(|value| in_language(value, language)).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_checkup::sink::{Activity, Stage};
    use cardiograph_core::message;

    use super::*;

    #[test]
    fn events_are_in_the_language_of_who_reads_them() {
        let log = Log::default();
        let title = message!("serve-not-signed-in");
        log.event(Event::Stage(Box::new(Stage { title: title.clone(), number: 2, ..Stage::default() })));
        let (events, _) = log.after(0);
        for language in Language::ALL {
            let json: Value = serde_json::from_str(events[0].json(language)).unwrap();
            assert_eq!(json["title"], language.text(&title));
            assert_eq!((&json["number"], events[0].kind), (&Value::from(2), "stage"));
        }
    }

    #[test]
    fn progress_is_forgotten_and_what_it_belongs_to_is_not() {
        let log = Log::default();
        log.trouble(&message!("serve-busy"));
        for _ in 0..=PROGRESS_MAX {
            log.event(Event::Doing(Activity::Inquiring));
        }
        let (events, is_ended) = log.after(0);
        assert_eq!((events.len(), events[0].kind, is_ended), (1 + PROGRESS_MAX, "trouble", false));
        assert_eq!((events[1].number, events.last().unwrap().number), (3, PROGRESS_MAX as u64 + 2));
        assert_eq!(log.after(600).0.len(), 2);
        log.end(&Report::new("a", 0, "p", "quick"));
        assert!(log.after(602).1);
    }
}
