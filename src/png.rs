//! Charts as PNG.

use cardiograph_core::{Message, message};
#[cfg(feature = "png")]
use cardiograph_core::{Parameter, text::shown};

/// Renders an SVG as PNG, one pixel per unit, in this machine's fonts.
///
/// # Errors
/// When no font has its letters, or it cannot be rendered.
#[cfg(feature = "png")]
pub fn render(svg: &str) -> Result<Vec<u8>, Message> {
    let mut fonts = resvg::usvg::fontdb::Database::new();
    fonts.load_system_fonts();
    render_with(svg, fonts)
}

/// Renders in these fonts. Checks them first: the renderer silently leaves out letters that no font has.
#[cfg(feature = "png")]
fn render_with(svg: &str, fonts: resvg::usvg::fontdb::Database) -> Result<Vec<u8>, Message> {
    use resvg::{tiny_skia, usvg};

    let failed = |error: &dyn std::fmt::Display| message!("png-failed", error = error.to_string());
    if fonts.is_empty() {
        return Err(message!("png-no-fonts", packages = "fonts-dejavu-core"));
    }
    let missing = missing_letters(svg, &fonts);
    if !missing.is_empty() {
        return Err(match missing.chars().any(is_japanese) {
            true => message!(
                "png-no-fonts.japanese",
                packages = Parameter::all(["fonts-ipafont-gothic", "fonts-noto-cjk"])
            ),
            false => {
                let packages = Parameter::all(["fonts-dejavu-core", "fonts-noto-core", "fonts-noto-cjk"]);
                message!("png-no-fonts.letters", letters = shown(&missing), packages)
            }
        });
    }
    let mut options = usvg::Options::default();
    *options.fontdb_mut() = fonts;
    name_sans_serif(&mut options);
    options.font_resolver.select_fallback =
        Box::new(|letter, used, fonts| fallback_font(letter, used, fonts));
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| failed(&error))?;
    let size = tree.size().to_int_size();
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).ok_or(message!("png-failed.too-large"))?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(&error))
}

#[cfg(not(feature = "png"))]
pub fn render(_svg: &str) -> Result<Vec<u8>, Message> {
    Err(message!("png-not-built"))
}

/// Names an installed sans-serif font: the library's default may be missing.
#[cfg(feature = "png")]
fn name_sans_serif(options: &mut resvg::usvg::Options<'_>) {
    const USUAL: [&str; 5] = ["Noto Sans", "DejaVu Sans", "Liberation Sans", "Arial", "IPAPGothic"];
    let has = |wanted: &str| {
        options.fontdb.faces().any(|face| face.families.iter().any(|(name, _)| name == wanted))
    };
    let first =
        || options.fontdb.faces().find_map(|face| face.families.first().map(|(name, _)| name.clone()));
    let name = USUAL.into_iter().find(|name| has(name)).map(str::to_string).or_else(first);
    if let Some(name) = name {
        options.fontdb_mut().set_sans_serif_family(name.clone());
        options.font_family = name;
    }
}

/// The font for a letter that the wanted font lacks: preferably upright and without serifs.
#[cfg(feature = "png")]
fn fallback_font(
    letter: char,
    used: &[resvg::usvg::fontdb::ID],
    fonts: &resvg::usvg::fontdb::Database,
) -> Option<resvg::usvg::fontdb::ID> {
    use resvg::usvg::fontdb::{FaceInfo, Style};

    let rank = |face: &FaceInfo| {
        let name = face.families.first().map_or("", |(name, _)| name.as_str());
        let has_serifs = name.contains("Mincho") || name.contains("Serif");
        (face.style != Style::Normal, has_serifs, face.monospaced, face.weight.0.abs_diff(400))
    };
    let unused = fonts.faces().filter(|face| !used.contains(&face.id));
    let mut faces: Vec<&FaceInfo> = unused.collect();
    faces.sort_by_key(|face| rank(face));
    faces.into_iter().find(|face| has_letter(fonts, face.id, letter)).map(|face| face.id)
}

#[cfg(feature = "png")]
const fn is_japanese(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}')
}

/// The first letters of a chart that no font has, each once.
#[cfg(feature = "png")]
fn missing_letters(svg: &str, fonts: &resvg::usvg::fontdb::Database) -> String {
    const SHOWN_MAX: usize = 10;
    let mut letters: std::collections::BTreeSet<char> =
        svg.chars().filter(|&letter| is_drawn(letter)).collect();
    for face in fonts.faces() {
        if letters.is_empty() {
            break;
        }
        fonts.with_face_data(face.id, |data, index| {
            let Ok(font) = skrifa::FontRef::from_index(data, index) else { return };
            let charmap = skrifa::MetadataProvider::charmap(&font);
            letters.retain(|&letter| charmap.map(letter).is_none());
        });
    }
    letters.into_iter().take(SHOWN_MAX).collect()
}

/// Whether a letter is drawn. Blanks, joiners and marks of direction are not, and fonts may lack them.
#[cfg(feature = "png")]
fn is_drawn(letter: char) -> bool {
    let joins = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}');
    !(joins || letter.is_whitespace() || letter.is_control())
}

#[cfg(feature = "png")]
fn has_letter(fonts: &resvg::usvg::fontdb::Database, font: resvg::usvg::fontdb::ID, letter: char) -> bool {
    let found = fonts.with_face_data(font, |data, index| {
        let font = skrifa::FontRef::from_index(data, index).ok()?;
        skrifa::MetadataProvider::charmap(&font).map(letter)
    });
    found.flatten().is_some()
}

#[cfg(all(test, feature = "png"))]
mod tests {
    use resvg::usvg::fontdb::Database;

    use super::*;

    fn picture(words: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"20\"><text y=\"15\">{words}</text></svg>"
        )
    }

    fn has_any(fonts: &Database, letter: char) -> bool {
        fonts.faces().any(|face| has_letter(fonts, face.id, letter))
    }

    /// The machine's fonts that have none of these letters.
    fn without(letters: &[char]) -> Database {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let ids = fonts.faces().map(|face| face.id);
        let having: Vec<_> =
            ids.filter(|&id| letters.iter().any(|&letter| has_letter(&fonts, id, letter))).collect();
        having.into_iter().for_each(|id| fonts.remove_face(id));
        fonts
    }

    #[test]
    fn missing_fonts_are_reported() {
        let message = |words: &str, fonts| render_with(&picture(words), fonts).unwrap_err();
        assert!(message("abc", Database::new()).id() == "png-no-fonts");
        let western = without(&['の', '\u{10fffd}']);
        // There may be fonts of symbols alone.
        if !has_any(&western, 'a') {
            cardiograph_testing::skip(
                "letters that no font has",
                "no Western font without Japanese is installed",
            );
            return;
        }
        assert!(message("カード", western.clone()).id() == "png-no-fonts.japanese");
        // A letter that is in no font.
        let missing = message("a\u{10fffd}", western.clone());
        assert_eq!(missing.parameter("letters"), Some(&"\u{10fffd}".into()));
        let pixels = |words| render_with(&picture(words), western.clone()).unwrap();
        assert_ne!(pixels("abc"), pixels(" "), "the words are drawn");
        assert_eq!(pixels("abc"), pixels("a\u{200b}bc"));
        let strange = without(&['a']);
        if !strange.is_empty() {
            assert_eq!(message("abc", strange).id(), "png-no-fonts.letters");
        }
    }
}
