//! The parsed modules of a package, without code compiled only for tests.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Item, Meta, Signature, Token, UseTree};

use super::message_use::{self, MessageUse};

/// The texts of files by their paths in the workspace.
pub type Texts = BTreeMap<String, String>;
/// A path in code, such as `crate`, `a`, `B`. A leading `::` is an empty segment, a glob ends with `*`.
pub type CodePath = Vec<String>;

/// Files and modules of a source directory.
#[derive(Default)]
pub struct Package {
    pub files: Vec<SourceFile>,
    pub modules: Vec<Module>,
}

/// A file compiled without tests.
pub struct SourceFile {
    pub path: String,
    /// Lines outside tests.
    pub lines: usize,
    /// Lines outside tests that are neither blank nor comments.
    pub code_lines: usize,
    pub functions: Vec<Function>,
    /// Its uses of messages.
    pub messages: Vec<MessageUse>,
}

/// A function with a body, or a method.
pub struct Function {
    /// With the enclosing inline modules, type and functions as a prefix.
    pub name: String,
    pub line: usize,
    /// Lines from `fn` to the closing brace.
    pub lines: usize,
}

/// A module: a file or an inline part of one.
#[derive(Default)]
pub struct Module {
    /// Index of its file.
    pub file: usize,
    pub parent: Option<usize>,
    pub children: HashMap<String, usize>,
    /// Names defined here.
    pub items: HashSet<String>,
    /// Names imported here.
    pub imports: HashMap<String, CodePath>,
    /// Modules and enums imported with `*`.
    pub globs: Vec<CodePath>,
    /// Paths in its code, and the first line of each.
    pub mentions: BTreeMap<CodePath, usize>,
}

/// Parses the files reachable from `lib.rs` or `main.rs` in a directory, or all of them if there are no such
/// files.
///
/// # Errors
/// When a file is not Rust.
pub fn parse(directory: &str, texts: &Texts) -> Result<Package, String> {
    let roots = ["lib.rs", "main.rs"].map(|name| format!("{directory}/{name}"));
    let mut roots: Vec<String> = roots.into_iter().filter(|path| texts.contains_key(path)).collect();
    if roots.is_empty() {
        let prefix = format!("{directory}/");
        roots = texts.keys().filter(|path| path.starts_with(&prefix)).cloned().collect();
    }
    let mut reader =
        Reader { texts, package: Package::default(), position: Position::default(), errors: Vec::new() };
    for path in &roots {
        reader.read(path, None);
    }
    reader.errors.pop().map_or(Ok(reader.package), Err)
}

/// The position of a reader in the code.
#[derive(Default)]
struct Position {
    module: usize,
    /// The directory of child modules.
    directory: String,
    /// Names of the items around the current code, within the file.
    names: Vec<String>,
    /// Lines of the file compiled only for tests.
    test_lines: BTreeSet<usize>,
}

struct Reader<'a> {
    texts: &'a Texts,
    package: Package,
    position: Position,
    errors: Vec<String>,
}

impl Reader<'_> {
    /// Reads a file and its child modules, and returns the module.
    fn read(&mut self, path: &str, parent: Option<usize>) -> usize {
        let text = &self.texts[path];
        let file = self.package.files.len();
        let module = self.add_module(file, parent);
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let directory = match name.trim_end_matches(".rs") {
            stem if stem != "mod" && parent.is_some() => format!("{directory}/{stem}"),
            _ => directory.to_string(),
        };
        let outer =
            std::mem::replace(&mut self.position, Position { module, directory, ..Position::default() });
        let (path, functions, messages) = (path.to_string(), Vec::new(), Vec::new());
        self.package.files.push(SourceFile { path, lines: 0, code_lines: 0, functions, messages });

        let parsed = text.parse::<TokenStream>().map_err(syn::Error::from);
        let parsed = parsed.and_then(|tokens| Ok((syn::parse2::<syn::File>(tokens.clone())?, tokens)));
        let source = &self.package.files[file];
        match parsed {
            Ok((syntax, tokens)) => {
                self.visit_file(&syntax);
                let lines: Vec<&str> = text.lines().collect();
                let (mut code, mut messages) = (BTreeSet::new(), Vec::new());
                message_use::collect(tokens.clone(), &mut messages);
                messages.retain(|found: &MessageUse| !self.position.test_lines.contains(&found.line));
                mark_code(tokens, &lines, &mut code);
                let source = &mut self.package.files[file];
                source.messages = messages;
                source.lines = lines.len() - self.position.test_lines.len();
                source.code_lines = code.difference(&self.position.test_lines).count();
            }
            Err(error) => {
                self.errors.push(format!("{}:{}: {error}", source.path, error.span().start().line));
            }
        }
        self.position = outer;
        module
    }

    fn add_module(&mut self, file: usize, parent: Option<usize>) -> usize {
        self.package.modules.push(Module { file, parent, ..Module::default() });
        self.package.modules.len() - 1
    }

    fn module(&mut self) -> &mut Module {
        &mut self.package.modules[self.position.module]
    }

    fn is_test(&mut self, attributes: &[Attribute], node: &impl Spanned) -> bool {
        let is_test = attributes.iter().any(|attribute| match &attribute.meta {
            Meta::List(list) if list.path.is_ident("cfg") => meta_items(list).iter().any(requires_test),
            meta => meta.path().is_ident("test"),
        });
        if is_test {
            let span = node.span();
            self.position.test_lines.extend(span.start().line..=span.end().line);
        }
        is_test
    }

    fn mention(&mut self, path: CodePath, line: usize) {
        if !path.is_empty() {
            self.module().mentions.entry(path).or_insert(line);
        }
    }

    /// Visits a named part of the file.
    fn within(&mut self, ident: &Ident, visit: impl FnOnce(&mut Self)) {
        self.position.names.push(ident_name(ident));
        visit(self);
        self.position.names.pop();
    }

    fn function(&mut self, signature: &Signature, block: Option<&Block>, visit: impl FnOnce(&mut Self)) {
        self.within(&signature.ident, |reader| {
            if let Some(block) = block {
                let line = signature.fn_token.span.start().line;
                let lines = block.brace_token.span.close().end().line - line + 1;
                let function = Function { name: reader.position.names.join("::"), line, lines };
                let file = reader.module().file;
                reader.package.files[file].functions.push(function);
            }
            visit(reader);
        });
    }

    fn import(&mut self, tree: &UseTree, mut path: CodePath) {
        let (ident, bound) = match tree {
            UseTree::Path(tree) => {
                path.push(ident_name(&tree.ident));
                return self.import(&tree.tree, path);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.import(item, path.clone()));
                return;
            }
            UseTree::Glob(_) => {
                self.module().globs.push(path.clone());
                ("*".to_string(), None)
            }
            UseTree::Name(name) => (ident_name(&name.ident), Some(ident_name(&name.ident))),
            UseTree::Rename(name) => (ident_name(&name.ident), Some(ident_name(&name.rename))),
        };
        if ident != "self" {
            path.push(ident);
        }
        if let Some(bound) = bound {
            let bound = if bound == "self" { path.last().cloned().unwrap_or_default() } else { bound };
            self.module().imports.insert(bound, path.clone());
        }
        self.mention(path, tree.span().start().line);
    }

    /// Adds the paths among the tokens of a macro.
    fn scan(&mut self, tokens: TokenStream) {
        let (mut path, mut line, mut colons) = (CodePath::new(), 0, 0);
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Ident(ident) if colons == 2 => path.push(ident_name(&ident)),
                other => {
                    self.mention(std::mem::take(&mut path), line);
                    line = other.span().start().line;
                    match other {
                        TokenTree::Ident(ident) => path.push(ident_name(&ident)),
                        TokenTree::Group(group) => self.scan(group.stream()),
                        _ => {}
                    }
                }
            }
            colons = 0;
        }
        self.mention(path, line);
    }

    /// Reads the modules declared by a macro call: files next to a `mod.rs` that does not declare them.
    fn read_files_of_macro(&mut self) {
        let parent = self.position.module;
        let file = self.package.modules[parent].file;
        let (texts, own) = (self.texts, self.package.files[file].path.clone());
        if !own.ends_with("/mod.rs") {
            return;
        }
        let directory = own.trim_end_matches("mod.rs");
        for path in texts.keys().filter(|path| **path != own) {
            let name = path.strip_prefix(directory).and_then(|name| name.strip_suffix(".rs"));
            let Some(name) = name.filter(|name| !name.contains('/')) else { continue };
            let declaration = format!("mod {name};");
            // Modules declared by a macro are indented in its call.
            let is_declared = |line: &str| !line.starts_with(' ') && line.ends_with(&declaration);
            if !texts[&own].lines().any(is_declared) {
                let child = self.read(path, Some(parent));
                self.module().children.insert(name.to_string(), child);
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, ident) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Impl(item) => (&item.attrs, None),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
            Item::Mod(item) => (&item.attrs, None),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Union(item) => (&item.attrs, Some(&item.ident)),
            Item::Use(item) => (&item.attrs, None),
            _ => return visit::visit_item(self, item),
        };
        if !self.is_test(attributes, item) {
            self.module().items.extend(ident.map(ident_name));
            visit::visit_item(self, item);
        }
        if let Item::Macro(syn::ItemMacro { ident: None, .. }) = item {
            self.read_files_of_macro();
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let name = ident_name(&item.ident);
        let parent = self.position.module;
        let directory = format!("{}/{name}", self.position.directory);
        if let Some((_, items)) = &item.content {
            let file = self.module().file;
            let child = self.add_module(file, Some(parent));
            self.module().children.insert(name, child);
            self.position.module = child;
            let outer = std::mem::replace(&mut self.position.directory, directory);
            self.within(&item.ident, |reader| items.iter().for_each(|item| reader.visit_item(item)));
            self.position.directory = outer;
            self.position.module = parent;
            return;
        }
        let file = self.module().file;
        let own_directory =
            self.package.files[file].path.rsplit_once('/').map_or("", |(directory, _)| directory);
        let named = item.attrs.iter().filter_map(|attribute| named_path(&attribute.meta));
        let mut paths: Vec<String> = named.map(|path| format!("{own_directory}/{path}")).collect();
        paths.extend([format!("{directory}.rs"), format!("{directory}/mod.rs")]);
        paths.retain(|path| self.texts.contains_key(path));
        for path in paths {
            let child = self.read(&path, Some(parent));
            self.module().children.insert(name.clone(), child);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let start = item.leading_colon.map(|_| String::new()).into_iter().collect();
        self.import(&item.tree, start);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        match &*item.self_ty {
            syn::Type::Path(syn::TypePath { path, .. }) if !path.segments.is_empty() => {
                let ident = &path.segments[path.segments.len() - 1].ident;
                self.within(ident, |reader| visit::visit_item_impl(reader, item));
            }
            _ => visit::visit_item_impl(self, item),
        }
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.within(&item.ident, |reader| visit::visit_item_trait(reader, item));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, Some(&item.block), |reader| visit::visit_item_fn(reader, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if !self.is_test(&item.attrs, item) {
            self.function(&item.sig, Some(&item.block), |reader| visit::visit_impl_item_fn(reader, item));
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.function(&item.sig, item.default.as_ref(), |reader| visit::visit_trait_item_fn(reader, item));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let start = path.leading_colon.map(|_| String::new());
        let names = path.segments.iter().map(|segment| ident_name(&segment.ident));
        self.mention(start.into_iter().chain(names).collect(), path.span().start().line);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        visit::visit_macro(self, mac);
        self.scan(mac.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}
}

fn ident_name(ident: &Ident) -> String {
    ident.unraw().to_string()
}

/// The file named by `#[path]`, also within `#[cfg_attr]`.
fn named_path(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(syn::MetaNameValue { path, value: syn::Expr::Lit(value), .. }) => match &value.lit {
            syn::Lit::Str(name) if path.is_ident("path") => Some(name.value()),
            _ => None,
        },
        Meta::List(list) if list.path.is_ident("cfg_attr") => meta_items(list).iter().find_map(named_path),
        _ => None,
    }
}

fn meta_items(list: &syn::MetaList) -> Vec<Meta> {
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    parts.map(|parts| parts.into_iter().collect()).unwrap_or_default()
}

/// Whether a condition of `cfg` holds only for tests.
fn requires_test(condition: &Meta) -> bool {
    let Meta::List(list) = condition else { return condition.path().is_ident("test") };
    let parts = meta_items(list);
    if list.path.is_ident("any") {
        !parts.is_empty() && parts.iter().all(requires_test)
    } else {
        list.path.is_ident("all") && parts.iter().any(requires_test)
    }
}

/// Adds the lines with a token other than a comment.
fn mark_code(tokens: TokenStream, lines: &[&str], code: &mut BTreeSet<usize>) {
    for token in tokens {
        // A doc comment becomes the tokens of an attribute, each at the position of the comment.
        let start = token.span().start();
        let is_slash = lines[start.line - 1].chars().nth(start.column) == Some('/');
        match token {
            TokenTree::Punct(punct) if is_slash && punct.as_char() != '/' => {}
            TokenTree::Group(_) if is_slash => {}
            TokenTree::Group(group) => {
                code.insert(start.line);
                code.insert(group.span_close().end().line);
                mark_code(group.stream(), lines, code);
            }
            token => {
                let all = start.line..=token.span().end().line;
                code.extend(all.filter(|line| !lines[line - 1].trim().is_empty()));
            }
        }
    }
}
