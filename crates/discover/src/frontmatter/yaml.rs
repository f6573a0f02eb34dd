//! YAML at the level of events, into a small tree that keeps written text, duplicates and places.

mod plain;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle};

use super::Limits;

/// A document. Aliases are edges, so a tree is never larger than its text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    root: Option<NodeId>,
    /// Where the first tag stands that is none of YAML's own.
    foreign_tag: Option<usize>,
}

/// Names a node of its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(usize);

#[derive(Debug, PartialEq, Eq)]
struct Node<'a> {
    value: NodeValue<'a>,
    span: Range<usize>,
}

#[derive(Debug, PartialEq, Eq)]
enum NodeValue<'a> {
    Scalar { text: Cow<'a, str>, plain: bool },
    List(Vec<NodeId>),
    Map(Vec<(NodeId, NodeId)>),
    Alias(NodeId),
}

/// A node's value, aliases resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'t> {
    /// Text as it is written, once quotes and folds are undone. `plain` is a scalar without quotes and tag.
    Scalar {
        text: &'t str,
        plain: bool,
    },
    List(&'t [NodeId]),
    Map(&'t [(NodeId, NodeId)]),
}

/// The text is no YAML, or too much of it.
#[derive(Debug)]
pub(crate) struct YamlError {
    pub(crate) message: String,
    /// Byte offset in the text.
    pub(crate) at: usize,
    /// Whether the text may be fine, and only the limits are not.
    pub(crate) too_large: bool,
}

impl<'a> Tree<'a> {
    /// Reads one document.
    pub(crate) fn parse(text: &'a str, limits: &Limits) -> Result<Self, YamlError> {
        match plain::tree(text, limits) {
            Some(tree) => Ok(tree),
            None => Self::from_events(text, limits),
        }
    }

    fn from_events(text: &'a str, limits: &Limits) -> Result<Self, YamlError> {
        let options = granit_parser::options! {
            emit_comments: false,
            // A byte order mark that an editor left inside a value is text, as for libyaml.
            bom_inside_document_as_content: true,
            flow_nesting_limit: limits.depth,
            block_nesting_limit: limits.depth,
        };
        let mut builder = Builder {
            tree: Self { nodes: Vec::new(), root: None, foreign_tag: None },
            open: Vec::new(),
            anchors: HashMap::new(),
            max_nodes: limits.nodes,
        };
        let mut documents = 0;
        for next in Parser::new_from_str_with_options(text, options) {
            let (event, span) = next.map_err(|error| syntax_error(&error, text))?;
            let start = span.start.byte_offset().unwrap_or(text.len());
            let span = start..span.end.byte_offset().unwrap_or(text.len()).max(start);
            if matches!(event, Event::DocumentStart(..)) {
                documents += 1;
                if documents > 1 {
                    return Err(YamlError {
                        message: "there is more than one document".to_owned(),
                        at: start,
                        too_large: false,
                    });
                }
            }
            builder.take(event, span)?;
        }
        Ok(builder.tree)
    }

    /// Checks that the short cut, where it is taken, leads to the tree of the parser, and that every node of that is a
    /// stretch of the text. Returns whether the short cut was taken.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn check(text: &str, limits: &Limits) -> bool {
        let long = Tree::from_events(text, limits);
        let at = long.as_ref().err().map(|error| error.at..error.at);
        let spans = long.iter().flat_map(|tree| &tree.nodes).map(|node| node.span.clone());
        for span in spans.chain(at) {
            assert!(text.get(span.clone()).is_some(), "{span:?} is no stretch of {text:?}");
        }
        let Some(short) = plain::tree(text, limits) else { return false };
        assert_eq!(Ok(short), long.map_err(|error| error.message), "{text:?}");
        true
    }

    /// Takes the line feed from a block text that the end of the document ends, as libyaml does: nothing wrote it.
    pub(crate) fn end_blocks_at_text(&mut self, text: &str) {
        if text.ends_with(['\n', '\r']) {
            return;
        }
        let is_last = |span: &Range<usize>| {
            let quoted = text.get(span.start..).is_some_and(|text| text.starts_with(['"', '\'']));
            !quoted && text.get(span.end..).is_none_or(|rest| rest.trim().is_empty())
        };
        for node in &mut self.nodes {
            if let NodeValue::Scalar { text: value, plain: false } = &mut node.value
                && is_last(&node.span)
                && let Some(ended) = value.strip_suffix('\n')
            {
                *value = Cow::Owned(ended.to_owned());
            }
        }
    }

    /// Returns where the first tag stands that is none of YAML's own.
    pub(crate) fn foreign_tag(&self) -> Option<usize> {
        self.foreign_tag
    }

    /// Returns where the first text in double quotes stands that has this in it as it is written.
    pub(crate) fn quoted_with(&self, text: &str, is_in: impl Fn(&str) -> bool) -> Option<usize> {
        let written = |node: &&Node<'_>| {
            text.get(node.span.clone()).is_some_and(|text| text.starts_with('"') && is_in(text))
        };
        self.nodes.iter().find(written).map(|node| node.span.start)
    }

    pub(crate) fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// Returns a node's value. What leads back to itself has none.
    pub(crate) fn view(&self, mut id: NodeId) -> Option<View<'_>> {
        loop {
            match &self.nodes.get(id.0)?.value {
                NodeValue::Scalar { text, plain } => return Some(View::Scalar { text, plain: *plain }),
                NodeValue::List(items) => return Some(View::List(items)),
                NodeValue::Map(entries) => return Some(View::Map(entries)),
                // An alias stands behind its anchor, so this ends.
                NodeValue::Alias(target) if target.0 < id.0 => id = *target,
                NodeValue::Alias(_) => return None,
            }
        }
    }

    /// Returns where the node is written, as byte offsets of the text.
    pub(crate) fn span(&self, id: NodeId) -> Range<usize> {
        self.nodes.get(id.0).map_or(0..0, |node| node.span.clone())
    }

    /// Returns the text of a scalar.
    pub(crate) fn scalar(&self, id: NodeId) -> Option<&str> {
        match self.view(id)? {
            View::Scalar { text, .. } => Some(text),
            View::List(_) | View::Map(_) => None,
        }
    }

    /// Returns the text of a scalar that is not null.
    pub(crate) fn text(&self, id: NodeId) -> Option<&str> {
        match self.view(id)? {
            View::Scalar { text, plain } if !(plain && is_null(text)) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn is_null(&self, id: NodeId) -> bool {
        matches!(self.view(id), Some(View::Scalar { text, plain: true }) if is_null(text))
    }

    /// Returns the entries of a mapping whose keys are scalars, with the keys' text.
    pub(crate) fn entries(&self, id: NodeId) -> impl Iterator<Item = (&str, NodeId, NodeId)> {
        let entries = match self.view(id) {
            Some(View::Map(entries)) => entries,
            _ => &[],
        };
        entries.iter().filter_map(|(key, value)| match self.view(*key)? {
            View::Scalar { text, .. } => Some((text, *key, *value)),
            _ => None,
        })
    }

    /// Returns the first value of this key in a mapping.
    pub(crate) fn get(&self, id: NodeId, key: &str) -> Option<NodeId> {
        self.entries(id).find(|(text, ..)| *text == key).map(|(.., value)| value)
    }
}

/// The forms of null in YAML's core schema.
pub(crate) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// Returns whether a tag is one of YAML 1.1's own.
fn is_own_tag((prefix, suffix): (&str, &str)) -> bool {
    let own =
        ["null", "bool", "int", "float", "binary", "timestamp", "omap", "pairs", "set", "str", "seq", "map"];
    let whole = format!("{prefix}{suffix}");
    whole == "!" || whole.strip_prefix("tag:yaml.org,2002:").is_some_and(|name| own.contains(&name))
}

fn syntax_error(error: &granit_parser::ScanError, text: &str) -> YamlError {
    use granit_parser::ErrorKind;
    YamlError {
        message: error.info(),
        at: error.marker().byte_offset().unwrap_or(text.len()).min(text.len()),
        too_large: matches!(error.kind(), ErrorKind::RecursionLimitExceeded),
    }
}

struct Builder<'a> {
    tree: Tree<'a>,
    /// Collections that are not closed yet, with their children so far.
    open: Vec<(NodeId, Vec<NodeId>)>,
    anchors: HashMap<usize, NodeId>,
    max_nodes: usize,
}

impl<'a> Builder<'a> {
    fn take(&mut self, event: Event<'a>, span: Range<usize>) -> Result<(), YamlError> {
        let tag = match &event {
            Event::Scalar(.., tag) | Event::SequenceStart(.., tag) | Event::MappingStart(.., tag) => {
                tag.as_ref()
            }
            _ => None,
        };
        if tag.is_some_and(|tag| !is_own_tag(tag.parts())) {
            self.tree.foreign_tag = self.tree.foreign_tag.or(Some(span.start));
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain =
                    style == ScalarStyle::Plain && tag.is_none_or(|tag| !tag.is_yaml_core_schema_tag("str"));
                let id = self.add(NodeValue::Scalar { text, plain }, span, anchor)?;
                self.attach(id);
            }
            Event::Alias(anchor) => {
                // The parser refuses what has no anchor, so there is one.
                let target = self.anchors.get(&anchor).copied().unwrap_or(NodeId(usize::MAX));
                let id = self.add(NodeValue::Alias(target), span, 0)?;
                self.attach(id);
            }
            Event::SequenceStart(_, anchor, _) => {
                let id = self.add(NodeValue::List(Vec::new()), span, anchor)?;
                self.open.push((id, Vec::new()));
            }
            Event::MappingStart(_, anchor, _) => {
                let id = self.add(NodeValue::Map(Vec::new()), span, anchor)?;
                self.open.push((id, Vec::new()));
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span.end),
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, value: NodeValue<'a>, span: Range<usize>, anchor: usize) -> Result<NodeId, YamlError> {
        let id = NodeId(self.tree.nodes.len());
        if id.0 >= self.max_nodes {
            return Err(YamlError {
                message: format!("there are more than {} values", self.max_nodes),
                at: span.start,
                too_large: true,
            });
        }
        self.tree.nodes.push(Node { value, span });
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        Ok(id)
    }

    fn attach(&mut self, id: NodeId) {
        match self.open.last_mut() {
            Some((_, children)) => children.push(id),
            None => self.tree.root = Some(id),
        }
    }

    fn close(&mut self, end: usize) {
        let Some((id, children)) = self.open.pop() else { return };
        if let Some(node) = self.tree.nodes.get_mut(id.0) {
            node.span.end = end.max(node.span.start);
            if let NodeValue::Map(entries) = &mut node.value {
                let mut children = children.into_iter();
                while let (Some(key), Some(value)) = (children.next(), children.next()) {
                    entries.push((key, value));
                }
            } else {
                node.value = NodeValue::List(children);
            }
        }
        self.attach(id);
    }
}
