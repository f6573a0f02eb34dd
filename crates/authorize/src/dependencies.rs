//! What a skill declares to need, and what of it the session does not have (S3-35).

use lorimer_core::{Code, Dependency, Diagnostic, Skill};

use crate::McpServer;

/// What happens when a loaded skill needs an MCP server that the session does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingPolicy {
    /// A person is asked, once per server and session.
    #[default]
    Ask,
    /// The skill stays loaded and blocked; nobody is asked.
    Block,
    /// Nothing.
    Ignore,
}

/// What [`missing_dependencies`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MissingDependencies {
    /// Declared MCP servers that the session does not have, in the order of their declaration.
    pub missing: Vec<Dependency>,
    /// Declarations that cannot be checked; they count as neither met nor missing.
    pub diagnostics: Vec<Diagnostic>,
}

/// Returns what of the skill's declared MCP servers the session does not have.
///
/// Only dependencies of the kind `mcp` are looked at. Others, such as `env_var`, are the host's to check: this
/// library reads no environment.
pub fn missing_dependencies(skill: &Skill, servers: &[McpServer]) -> MissingDependencies {
    let present: Vec<String> = servers.iter().map(server_key).collect();
    let mut found = MissingDependencies::default();
    let mut seen = Vec::new();
    for dependency in &skill.dependencies {
        if !dependency.kind.eq_ignore_ascii_case("mcp") {
            continue;
        }
        let key = match dependency_key(dependency) {
            Ok(key) => key,
            Err(problem) => {
                found.diagnostics.push(
                    Diagnostic::new(
                        Code::DependencyInvalid,
                        format!("dependency `{}` cannot be checked: {problem}", dependency.value),
                    )
                    .at(skill.id.locator.clone(), None),
                );
                continue;
            }
        };
        if present.contains(&key) || seen.contains(&key) {
            continue;
        }
        seen.push(key);
        // A server is configured under its name, so of two declarations under one name only the later can be met.
        match found.missing.iter_mut().find(|other| other.value == dependency.value) {
            Some(earlier) => *earlier = dependency.clone(),
            None => found.missing.push(dependency.clone()),
        }
    }
    found
}

/// Returns the key by which two ways of naming one server are recognised as the same.
pub(crate) fn dependency_key(dependency: &Dependency) -> Result<String, String> {
    let transport = dependency.transport.as_deref().unwrap_or("streamable_http");
    let target = if transport.eq_ignore_ascii_case("streamable_http") {
        dependency.url.as_deref().ok_or("a `streamable_http` server needs a `url`")
    } else if transport.eq_ignore_ascii_case("stdio") {
        dependency.command.as_deref().ok_or("a `stdio` server needs a `command`")
    } else {
        return Err(format!("the transport `{transport}` is unknown"));
    }?;
    Ok(key(transport, target, &dependency.value))
}

fn server_key(server: &McpServer) -> String {
    key(&server.transport, &server.target, &server.name)
}

fn key(transport: &str, target: &str, name: &str) -> String {
    match target.trim() {
        "" => name.to_owned(),
        target => format!("mcp__{}__{target}", transport.to_ascii_lowercase()),
    }
}
