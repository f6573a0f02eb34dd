//! The shape of `agents/openai.yaml`. A value of the wrong type anywhere makes the whole file invalid; unknown keys
//! are fine.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::Value;

use crate::frontmatter::value::plain_value;
use crate::frontmatter::yaml::{NodeId, Tree, View};

/// Why the file as a whole is of no use.
#[derive(Debug)]
pub(super) struct Issue {
    pub(super) message: String,
    pub(super) place: Range<usize>,
}

/// A text as written, and where.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) place: Range<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) interface: RawInterface,
    pub(super) tools: Vec<RawTool>,
    pub(super) implicit: Option<bool>,
    pub(super) products: Vec<String>,
}

#[derive(Debug, Default)]
pub(super) struct RawInterface {
    pub(super) display_name: Option<Text>,
    pub(super) short_description: Option<Text>,
    pub(super) icon_small: Option<Text>,
    pub(super) icon_large: Option<Text>,
    pub(super) brand_color: Option<Text>,
    pub(super) default_prompt: Option<Text>,
}

#[derive(Debug)]
pub(super) struct RawTool {
    pub(super) kind: Option<Text>,
    pub(super) value: Option<Text>,
    pub(super) description: Option<Text>,
    pub(super) transport: Option<Text>,
    pub(super) command: Option<Text>,
    pub(super) url: Option<Text>,
    pub(super) oauth_callback_port: Option<u16>,
    pub(super) place: Range<usize>,
}

/// Products that a skill may be for; a file may also write them in capitals.
const PRODUCTS: [&str; 3] = ["codex", "chatgpt", "atlas"];

pub(super) fn document(tree: &Tree<'_>) -> Result<Document, Issue> {
    let schema = Schema { tree };
    let Some(root) = tree.root().filter(|root| !tree.is_null(*root)) else { return Ok(Document::default()) };
    schema.mapping(root, "the file", &["interface", "dependencies", "policy"])?;
    let mut document = Document::default();
    if let Some(interface) = schema.present(root, "interface") {
        document.interface = schema.interface(interface)?;
    }
    if let Some(dependencies) = schema.present(root, "dependencies") {
        schema.mapping(dependencies, "`dependencies`", &["tools"])?;
        if let Some(tools) = schema.present(dependencies, "tools") {
            let tools = schema.list(tools, "`dependencies.tools`")?;
            document.tools = tools.iter().map(|tool| schema.tool(*tool)).collect::<Result<_, _>>()?;
        }
    }
    if let Some(policy) = schema.present(root, "policy") {
        schema.mapping(policy, "`policy`", &["allow_implicit_invocation", "products"])?;
        document.implicit = schema.boolean(policy, "allow_implicit_invocation")?;
        if let Some(products) = schema.present(policy, "products") {
            let products = schema.list(products, "`policy.products`")?;
            document.products =
                products.iter().map(|product| schema.product(*product)).collect::<Result<_, _>>()?;
        }
    }
    Ok(document)
}

struct Schema<'t> {
    tree: &'t Tree<'t>,
}

impl Schema<'_> {
    fn issue(&self, id: NodeId, message: String) -> Issue {
        Issue { message, place: self.tree.span(id) }
    }

    /// Checks that a value is a mapping in which no known key stands twice.
    fn mapping(&self, id: NodeId, what: &str, known: &[&str]) -> Result<(), Issue> {
        if !matches!(self.tree.view(id), Some(View::Map(_))) {
            return Err(self.issue(id, format!("{what} must be a mapping")));
        }
        let mut seen = HashSet::new();
        for (key, place, _) in self.tree.entries(id) {
            if known.contains(&key) && !seen.insert(key) {
                return Err(self.issue(place, format!("the field `{key}` stands twice")));
            }
        }
        Ok(())
    }

    fn list(&self, id: NodeId, what: &str) -> Result<&[NodeId], Issue> {
        match self.tree.view(id) {
            Some(View::List(items)) => Ok(items),
            _ => Err(self.issue(id, format!("{what} must be a list"))),
        }
    }

    /// Returns the value of a key that is there and not null.
    fn present(&self, id: NodeId, key: &str) -> Option<NodeId> {
        self.tree.get(id, key).filter(|value| !self.tree.is_null(*value))
    }

    fn text(&self, id: NodeId, key: &str) -> Result<Option<Text>, Issue> {
        let Some(value) = self.present(id, key) else { return Ok(None) };
        match self.tree.text(value) {
            Some(text) => Ok(Some(Text { text: text.to_owned(), place: self.tree.span(value) })),
            None => Err(self.issue(value, format!("`{key}` must be text"))),
        }
    }

    fn boolean(&self, id: NodeId, key: &str) -> Result<Option<bool>, Issue> {
        let Some(value) = self.present(id, key) else { return Ok(None) };
        if let Some(View::Scalar { text, plain: true }) = self.tree.view(value)
            && let Value::Bool(value) = plain_value(text)
        {
            return Ok(Some(value));
        }
        Err(self.issue(value, format!("`{key}` must be true or false")))
    }

    fn product(&self, id: NodeId) -> Result<String, Issue> {
        let text = self.tree.text(id).unwrap_or_default();
        let known = PRODUCTS.iter().find(|known| text == **known || text == known.to_ascii_uppercase());
        known
            .map(|known| (*known).to_owned())
            .ok_or_else(|| self.issue(id, format!("a product is one of {}", PRODUCTS.join(", "))))
    }

    fn interface(&self, id: NodeId) -> Result<RawInterface, Issue> {
        let known = [
            "display_name",
            "short_description",
            "icon_small",
            "icon_large",
            "brand_color",
            "default_prompt",
        ];
        self.mapping(id, "`interface`", &known)?;
        Ok(RawInterface {
            display_name: self.text(id, "display_name")?,
            short_description: self.text(id, "short_description")?,
            icon_small: self.text(id, "icon_small")?,
            icon_large: self.text(id, "icon_large")?,
            brand_color: self.text(id, "brand_color")?,
            default_prompt: self.text(id, "default_prompt")?,
        })
    }

    fn tool(&self, id: NodeId) -> Result<RawTool, Issue> {
        let known = ["type", "value", "description", "transport", "command", "url", "oauth"];
        self.mapping(id, "an entry of `dependencies.tools`", &known)?;
        Ok(RawTool {
            kind: self.text(id, "type")?,
            value: self.text(id, "value")?,
            description: self.text(id, "description")?,
            transport: self.text(id, "transport")?,
            command: self.text(id, "command")?,
            url: self.text(id, "url")?,
            oauth_callback_port: self.port(id)?,
            place: self.tree.span(id),
        })
    }

    fn port(&self, tool: NodeId) -> Result<Option<u16>, Issue> {
        let Some(oauth) = self.present(tool, "oauth") else { return Ok(None) };
        self.mapping(oauth, "`oauth`", &["callbackPort", "callback_port"])?;
        let Some(port) = self.present(oauth, "callbackPort").or_else(|| self.present(oauth, "callback_port"))
        else {
            return Ok(None);
        };
        let number = self.tree.text(port).and_then(|text| text.parse().ok());
        number
            .map(Some)
            .ok_or_else(|| self.issue(port, "`oauth.callbackPort` must be a port number".to_owned()))
    }
}
