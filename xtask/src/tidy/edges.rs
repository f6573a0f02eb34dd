//! Which crate may depend on which.
//!
//! The stages are parts that can be swapped one by one, and that only stays true while none of them knows another.
//! What two stages share is a value in the core; who calls whom is the facade's business.

use super::{Edge, Finding};

const STAGES: [&str; 7] = ["discover", "catalog", "resolve", "activate", "authorize", "persist", "observe"];

/// Crates that bring an async runtime. A stage is sync; runtimes live at the edges.
const RUNTIMES: [&str; 3] = ["tokio", "async-std", "smol"];

/// Checks every edge.
pub(super) fn check(edges: &[Edge]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for edge in edges {
        let reason = if edge.inside { why_not_inside(edge) } else { why_not_outside(edge) };
        if let Some(reason) = reason {
            let table = if edge.dev { "dev-dependencies" } else { "dependencies" };
            findings.push(Finding::new(
                format!("{} -> {}", edge.from, edge.to),
                format!("{reason}; remove it from [{table}] (rule: docs/architecture.md)"),
            ));
        }
    }
    findings
}

/// The name of a member without the project's prefix. The facade is called like the project.
fn short(name: &str) -> &str {
    name.strip_prefix("lorimer-").unwrap_or(name)
}

fn why_not_inside(edge: &Edge) -> Option<&'static str> {
    let (from, to) = (short(&edge.from), short(&edge.to));
    let is_stage = |name: &str| STAGES.contains(&name);
    match to {
        "cli" | "mcp" | "xtask" => return Some("nothing depends on a binary, on mcp or on xtask"),
        // The contract suites of the testkit are for the tests of whoever implements a trait: the stages, the
        // facade, the MCP source, and the command that composes them. They are never part of what is shipped.
        "testkit" if !edge.dev => return Some("the testkit is a dev-dependency only"),
        "testkit" if is_stage(from) || matches!(from, "lorimer" | "mcp" | "cli") => return None,
        "testkit" => return Some("this crate implements no trait that the testkit has a suite for"),
        _ => {}
    }
    match from {
        "core" => Some("core is the foundation and depends on no other crate of the house"),
        _ if is_stage(from) && to == "core" => None,
        _ if is_stage(from) && is_stage(to) => {
            Some("a stage never depends on another stage; share a value through core")
        }
        _ if is_stage(from) => Some("a stage depends on core alone"),
        "lorimer" if to == "core" || is_stage(to) => None,
        "lorimer" => Some("the facade depends on core and the seven stages alone"),
        "testkit" | "mcp" | "cli" | "xtask" if to == "lorimer" => None,
        "testkit" | "mcp" | "cli" | "xtask" => Some(
            "this crate sees the house through the facade `lorimer`, which re-exports core and the stages",
        ),
        _ => Some("this crate is not on the map; say there which edges it may have"),
    }
}

fn why_not_outside(edge: &Edge) -> Option<&'static str> {
    let from = short(&edge.from);
    if edge.to.contains("opentelemetry") && from != "observe" {
        return Some("observe is the only crate that links OpenTelemetry");
    }
    let brings_runtime = RUNTIMES.iter().any(|runtime| {
        edge.to.strip_prefix(runtime).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    });
    if brings_runtime && (STAGES.contains(&from) || from == "core") {
        return Some("a stage is sync and brings no async runtime");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(from: &str, to: &str, dev: bool) -> Edge {
        Edge { from: from.to_owned(), to: to.to_owned(), dev, inside: true }
    }

    fn outside(from: &str, to: &str) -> Edge {
        Edge { from: from.to_owned(), to: to.to_owned(), dev: false, inside: false }
    }

    fn refused(edge: Edge) -> bool {
        !check(&[edge]).is_empty()
    }

    #[test]
    fn the_edges_of_the_map_pass() {
        let allowed = [
            inside("lorimer-discover", "lorimer-core", false),
            inside("lorimer", "lorimer-observe", false),
            inside("lorimer", "lorimer-core", false),
            inside("lorimer-cli", "lorimer", false),
            inside("lorimer-cli", "lorimer-testkit", true),
            inside("lorimer-testkit", "lorimer", false),
            inside("lorimer-mcp", "lorimer", false),
            inside("xtask", "lorimer", false),
            inside("lorimer-persist", "lorimer-testkit", true),
            outside("lorimer-observe", "opentelemetry"),
            outside("lorimer-mcp", "tokio"),
            outside("lorimer-catalog", "smol_str"),
        ];
        assert_eq!(check(&allowed), []);
    }

    #[test]
    fn a_stage_knows_no_other_stage_in_code_or_tests() {
        assert!(refused(inside("lorimer-catalog", "lorimer-discover", false)));
        assert!(refused(inside("lorimer-catalog", "lorimer-discover", true)));
        assert!(refused(inside("lorimer-catalog", "lorimer", false)));
    }

    #[test]
    fn core_stands_alone() {
        assert!(refused(inside("lorimer-core", "lorimer-discover", false)));
        assert!(refused(inside("lorimer-core", "lorimer-testkit", true)));
    }

    #[test]
    fn nothing_depends_on_the_edges_of_the_house() {
        for edge in ["lorimer-cli", "lorimer-mcp", "xtask"] {
            assert!(refused(inside("lorimer", edge, true)), "{edge}");
        }
        assert!(refused(inside("lorimer-cli", "lorimer-testkit", false)));
        assert!(refused(inside("xtask", "lorimer-testkit", true)));
        assert!(refused(inside("lorimer-cli", "lorimer-core", false)));
    }

    #[test]
    fn a_crate_that_is_not_on_the_map_is_reported() {
        assert!(refused(inside("lorimer-new", "lorimer-core", false)));
    }

    #[test]
    fn telemetry_and_runtimes_stay_where_they_belong() {
        assert!(refused(outside("lorimer", "opentelemetry_sdk")));
        assert!(refused(outside("lorimer-cli", "tracing-opentelemetry")));
        assert!(refused(outside("lorimer-persist", "tokio")));
        assert!(refused(outside("lorimer-resolve", "tokio-util")));
        assert!(refused(outside("lorimer-core", "async-std")));
    }

    #[test]
    fn a_finding_names_the_edge_the_reason_and_the_place_of_the_rule() {
        let findings = check(&[inside("lorimer-catalog", "lorimer-discover", true)]);
        let text = findings.first().unwrap().to_string();
        for part in ["lorimer-catalog -> lorimer-discover", "another stage", "docs/architecture.md", "dev-"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
