//! Pages on paper: the structure of a PDF, which lists the pages of each element.
//!
//! Browsers write the elements of a page as objects `/StructElem` with their kind (`/S`), parent (`/P`), parts (references)
//! and pages (`/Pg`), uncompressed.

use std::collections::{BTreeMap, BTreeSet};

/// Tables of up to this many rows fit on a page.
const ROWS_SHORT: usize = 15;
const HEADINGS: [&str; 3] = ["H1", "H2", "H3"];

/// The elements of a PDF, by the number of their object.
pub struct Paper {
    elements: BTreeMap<u32, Element>,
}

struct Element {
    kind: String,
    parent: Option<u32>,
    /// The objects it refers to, in order: parts, pages and its parent.
    references: Vec<u32>,
    /// The pages of its direct content.
    pages: Vec<u32>,
}

impl Paper {
    /// Reads a PDF.
    pub fn parse(pdf: &[u8]) -> Self {
        let text = String::from_utf8_lossy(pdf);
        let objects = text.split("endobj").filter(|object| object.contains("/Type /StructElem"));
        let elements = objects.filter_map(|object| {
            let (head, body) = object.rsplit_once(" 0 obj")?;
            let number = head.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
            Some((number, Element::parse(body)?))
        });
        Self { elements: elements.collect() }
    }

    /// How many elements of a kind there are.
    pub fn count(&self, kind: &str) -> usize {
        self.elements.values().filter(|element| element.kind == kind).count()
    }

    /// Elements split over pages, or separated from what they belong to.
    pub fn torn(&self) -> Vec<String> {
        let mut torn = Vec::new();
        for (&number, element) in &self.elements {
            let kind = element.kind.as_str();
            let is_torn = match kind {
                "Figure" | "Code" | "LI" => self.pages(number).len() > 1,
                "Table" => self.is_torn_table(number),
                _ if HEADINGS.contains(&kind) => self.is_left_behind(number, element),
                _ => false,
            };
            if is_torn {
                torn.push(format!("{kind} on {:?}", self.pages(number)));
            }
        }
        torn
    }

    /// A short table on several pages, a row on two, or a caption without the first row. The head is on each page.
    fn is_torn_table(&self, number: u32) -> bool {
        let (rows, captions) = (self.within(number, "TR"), self.within(number, "Caption"));
        let first: BTreeSet<u32> =
            rows.iter().skip(1).take(1).chain(&captions).flat_map(|&part| self.pages(part)).collect();
        let is_torn_row = rows.iter().skip(1).any(|&row| self.pages(row).len() > 1);
        is_torn_row || first.len() > 1 || (rows.len() <= ROWS_SHORT && self.pages(number).len() > 1)
    }

    /// A heading at the end of a page whose text begins on the next; after a line of text the next part counts too.
    fn is_left_behind(&self, number: u32, heading: &Element) -> bool {
        let siblings: Vec<u32> = heading.parent.map_or(Vec::new(), |parent| self.parts(parent));
        let after = siblings.into_iter().skip_while(|&sibling| sibling != number).skip(1);
        let after: Vec<u32> = after.filter(|&part| !self.pages(part).is_empty()).take(2).collect();
        let is_line = after.first().is_some_and(|part| self.elements[part].kind == "P");
        let own = self.pages(number);
        let begins = |part: &u32| self.pages(*part).first().copied();
        after.iter().take(if is_line { 2 } else { 1 }).any(|part| begins(part) != own.first().copied())
    }

    /// The parts of an element, in order.
    fn parts(&self, number: u32) -> Vec<u32> {
        let Some(element) = self.elements.get(&number) else { return Vec::new() };
        let is_part = |part: &u32| self.elements.get(part).is_some_and(|part| part.parent == Some(number));
        element.references.iter().copied().filter(is_part).collect()
    }

    /// The pages of an element with all its parts. Browsers number pages in order.
    fn pages(&self, number: u32) -> BTreeSet<u32> {
        let own = self.elements[&number].pages.iter().copied();
        own.chain(self.parts(number).into_iter().flat_map(|part| self.pages(part))).collect()
    }

    fn within(&self, number: u32, kind: &str) -> Vec<u32> {
        let is_one = self.elements[&number].kind == kind;
        let own = is_one.then_some(number);
        own.into_iter()
            .chain(self.parts(number).into_iter().flat_map(|part| self.within(part, kind)))
            .collect()
    }
}

impl Element {
    fn parse(body: &str) -> Option<Self> {
        let behind = |key: &'static str| body.split(key).skip(1);
        let number = |text: &str| text.split(' ').next()?.parse().ok();
        let kind = behind("/S /").next()?.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        let words: Vec<&str> = body.split([' ', '\n', '[', ']', '/', '<', '>']).collect();
        let references = words.windows(3).filter(|three| three[1..] == ["0", "R"]);
        Some(Self {
            kind: kind.to_string(),
            parent: behind("/P ").next().and_then(number),
            references: references.filter_map(|three| three[0].parse().ok()).collect(),
            pages: behind("/Pg ").filter_map(number).collect(),
        })
    }
}
