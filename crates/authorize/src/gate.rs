//! The policy made of rules, a product, the skill's own wishes and its dependencies.

use lorimer_core::{Diagnostic, Refusal, Route, Skill};
use serde::{Deserialize, Serialize};

use crate::dependencies::dependency_key;
use crate::{
    Admission, AdmitRequest, Authorizer, ClearRequest, Clearance, MissingPolicy, Question, RuleSet, Selector,
    missing_dependencies,
};

/// Three facts about a skill that are never confused (S3-34).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// It is there. A rule never uninstalls a skill.
    pub installed: bool,
    /// No rule and no product keeps it out of this session.
    pub enabled: bool,
    /// The model may choose it by itself, as far as its author says.
    pub implicit: bool,
}

/// Decides by rules, product, the skill's own policy and its declared MCP servers.
///
/// The first of these that says no gives the refusal its name: `product`, `disabled`, `explicit-only`,
/// `not-user-invocable`.
///
/// ```
/// use lorimer_authorize::{Admission, AdmitRequest, Authorizer, Gate, Rule, RuleSet};
/// use lorimer_core::{Locator, Route, Skill, SkillId, SourceId};
///
/// let id = SkillId::new(SourceId::new("host"), Locator::Path("/skills/tea/SKILL.md".into()));
/// let tea = Skill::new(id, "tea", "Makes tea.");
/// let gate = Gate::with_rules(RuleSet::from_iter([Rule::by_name("tea", false)]));
/// let answer = gate.admit(&AdmitRequest { skill: &tea, route: Route::Mention, approved: &[] });
/// assert!(matches!(answer, Admission::Refused(refusal) if refusal.rule == "disabled"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gate {
    /// Rules that switch skills on and off.
    pub rules: RuleSet,
    /// The product that the session runs in. A skill that is only for other products is refused by every route; with
    /// `None`, every skill that names products is.
    pub product: Option<String>,
    /// Whether a skill whose author says that users cannot call it is refused when a user does. Several harnesses do
    /// not know the flag, so the default is `false`.
    pub honour_user_invocable: bool,
    /// What happens when an MCP server is missing.
    pub missing: MissingPolicy,
}

const QUESTION_PREFIX: &str = "mcp-dependency:";

impl Gate {
    /// Returns the gate with these rules and everything else at its default.
    pub fn with_rules(rules: RuleSet) -> Self {
        Self { rules, ..Self::default() }
    }

    /// Returns the three facts about an installed skill.
    pub fn standing(&self, skill: &Skill) -> Standing {
        Standing {
            installed: true,
            enabled: self.is_for_product(skill) && self.rules.is_enabled(skill),
            implicit: skill.policy.implicit,
        }
    }

    fn is_for_product(&self, skill: &Skill) -> bool {
        let products = &skill.policy.products;
        products.is_empty() || self.product.as_ref().is_some_and(|product| products.contains(product))
    }

    fn refusal(&self, skill: &Skill, route: Route) -> Option<Refusal> {
        if !self.is_for_product(skill) {
            let products = skill.policy.products.join(", ");
            return Some(Refusal::new("product").with_help(format!("The skill is only for: {products}.")));
        }
        if let Some(rule) = self.rules.deciding(skill)
            && !rule.enabled
        {
            let selector = match &rule.selector {
                Selector::Name(name) => format!("name `{name}`"),
                Selector::Path(path) => format!("path `{}`", path.display()),
            };
            return Some(Refusal::new("disabled").with_help(format!("A rule switches the {selector} off.")));
        }
        if route.is_implicit() && !skill.policy.implicit {
            return Some(Refusal::new("explicit-only").with_help(
                "Its author wants it to be used only when a person asks for it: mention it by name.",
            ));
        }
        let by_user = matches!(route, Route::Mention | Route::Command | Route::Structured);
        if self.honour_user_invocable && by_user && !skill.policy.user_invocable {
            return Some(
                Refusal::new("not-user-invocable")
                    .with_help("Its author wants it to be chosen by the model, not called by a user."),
            );
        }
        None
    }
}

impl Authorizer for Gate {
    fn admit(&self, request: &AdmitRequest<'_>) -> Admission {
        match self.refusal(request.skill, request.route) {
            Some(refusal) => Admission::Refused(refusal),
            None => Admission::Admitted,
        }
    }

    fn clear(&self, request: &ClearRequest<'_>) -> Clearance {
        if self.missing == MissingPolicy::Ignore {
            return Clearance::Cleared;
        }
        let missing = missing_dependencies(request.skill, request.servers).missing;
        if missing.is_empty() {
            return Clearance::Cleared;
        }
        if self.missing == MissingPolicy::Block {
            return Clearance::Blocked { missing, reason: "dependency-missing".to_owned() };
        }
        // Each server is asked about once per session, also when another skill needs it together with others.
        let declined: Vec<&str> = request
            .declined
            .iter()
            .filter_map(|id| id.strip_prefix(QUESTION_PREFIX))
            .flat_map(|keys| keys.split(','))
            .collect();
        let mut open: Vec<(String, &str)> = missing
            .iter()
            .filter_map(|dependency| Some((id_part(&dependency_key(dependency).ok()?), &*dependency.value)))
            .filter(|(key, _)| !declined.contains(&key.as_str()))
            .collect();
        if open.is_empty() {
            return Clearance::Blocked { missing, reason: "declined".to_owned() };
        }
        open.sort();
        let keys: Vec<&str> = open.iter().map(|(key, _)| key.as_str()).collect();
        let mut names: Vec<&str> = open.iter().map(|(_, name)| *name).collect();
        names.sort_unstable();
        let question = Question {
            id: format!("{QUESTION_PREFIX}{}", keys.join(",")),
            text: format!(
                "The skill `{}` needs MCP servers that this session does not have: {}. Install them?",
                request.skill.call_name(),
                names.join(", "),
            ),
            options: vec!["Install".to_owned(), "Continue without".to_owned()],
        };
        Clearance::Ask { missing, question }
    }

    fn findings(&self, request: &ClearRequest<'_>) -> Vec<Diagnostic> {
        missing_dependencies(request.skill, request.servers).diagnostics
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.rules.diagnostics().to_vec()
    }
}

/// Returns the key as a part of a question's id, where a comma separates keys.
fn id_part(key: &str) -> String {
    key.replace('%', "%25").replace(',', "%2C")
}
