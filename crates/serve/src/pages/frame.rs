//! What stands around every page: its style and script, the way to the other pages, and the language.

use cardiograph_catalogue::Language;
use cardiograph_core::{Message, message};
use cardiograph_render::html::{Frame, Html};

use crate::assets;
use crate::role::Needs;
use crate::visitor::Visitor;

/// The frame of the site, for a visitor.
pub struct Site<'a> {
    pub visitor: &'a Visitor,
}

/// The pages that each page leads to.
fn ways() -> [(&'static str, Needs, Message); 6] {
    [
        ("/", Needs::Read, message!("serve-nav.home")),
        ("/checkups", Needs::Read, message!("serve-nav.checkups")),
        ("/compare", Needs::Read, message!("serve-nav.compare")),
        ("/shelf", Needs::Read, message!("serve-nav.shelf")),
        ("/start", Needs::Operate, message!("serve-nav.start")),
        ("/team", Needs::Administer, message!("serve-team")),
    ]
}

impl Frame for Site<'_> {
    fn head(&self, html: &mut Html) {
        html.void("link", &[("rel", "stylesheet"), ("href", &assets::STYLE.address())]);
        // Neither deferred nor a module: the theme applies before the first paint.
        html.words("script", &[("src", &assets::SCRIPT.address())], "");
        html.data("words", assets::words(html.lang));
        html.void("link", &[("rel", "icon"), ("href", "/favicon.ico"), ("type", "image/svg+xml")]);
    }

    fn above(&self, html: &mut Html) {
        let language = html.lang;
        let text = |message: &Message| language.text(message);
        html.words("a", &[("class", "skip"), ("href", "#main")], &text(&message!("serve-skip")));
        html.element("header", &[("class", "site")], |html| {
            html.words("a", &[("class", "name"), ("href", "/")], "cardiograph");
            let label = text(&message!("serve-nav"));
            html.element("nav", &[("aria-label", &label)], |html| {
                html.element("ul", &[], |html| {
                    for (path, needs, name) in ways() {
                        if self.visitor.person.is_some() && self.visitor.may(needs) {
                            let here: &[_] = match path == self.visitor.path {
                                true => &[("href", path), ("aria-current", "page")],
                                false => &[("href", path)],
                            };
                            html.element("li", &[], |html| html.words("a", here, &text(&name)));
                        }
                    }
                });
            });
            let theme = [("type", "button"), ("class", "plain"), ("data-theme-toggle", ""), ("hidden", "")];
            html.words("button", &theme, "");
            html.element(
                "form",
                &[("method", "post"), ("action", "/language"), ("class", "language")],
                |html| {
                    html.void(
                        "input",
                        &[("type", "hidden"), ("name", "back"), ("value", &self.visitor.address)],
                    );
                    for other in Language::ALL.into_iter().filter(|other| other.code() != language.code()) {
                        let button = [
                            ("name", "code"),
                            ("value", other.code()),
                            ("lang", other.code()),
                            ("class", "plain"),
                        ];
                        html.words("button", &button, &other.text(&message!("serve-language")));
                    }
                },
            );
            // Whoever opened the printed address needs another one to come back: nothing to offer.
            if self.visitor.person.as_ref().is_some_and(|person| person.token.is_some()) {
                html.element("form", &[("method", "post"), ("action", "/sign-out")], |html| {
                    html.words("button", &[("class", "plain")], &text(&message!("serve-sign-in.out")));
                });
            }
        });
    }
}
