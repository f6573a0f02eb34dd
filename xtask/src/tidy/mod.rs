//! The house rules that no compiler checks.

mod codes;
mod core_io;
mod edges;
mod manifests;
mod sources;

use std::fmt;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::workspace;

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    /// The file, or the file and line, or the crate.
    place: String,
    /// What is wrong and what to do.
    message: String,
}

impl Finding {
    fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }

    /// Returns a finding about a line, counted from 0.
    fn at_line(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self::new(format!("{path}:{}", line + 1), message)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.place, self.message)
    }
}

/// Checks every rule, prints what breaks one, and returns whether nothing does.
pub(crate) fn run() -> anyhow::Result<bool> {
    let metadata = MetadataCommand::new().current_dir(workspace::root()).no_deps().exec()?;
    let files = workspace::text_files()?;

    let mut findings = edges::check(&dependencies(&metadata));
    findings.extend(manifests::check(&files));
    findings.extend(core_io::check(&files));
    findings.extend(sources::check(&files));
    findings.extend(codes::check(&files)?);

    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => eprintln!("tidy: {} files, no findings", files.len()),
        count => eprintln!("tidy: {} files, findings: {count}", files.len()),
    }
    Ok(findings.is_empty())
}

/// One line of a `[dependencies]` table of a workspace member.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edge {
    /// The member.
    from: String,
    /// What it depends on.
    to: String,
    /// Whether only its tests, examples and benches do.
    dev: bool,
    /// Whether `to` is a member too.
    inside: bool,
}

fn dependencies(metadata: &Metadata) -> Vec<Edge> {
    let members = metadata.workspace_packages();
    let mut edges = Vec::new();
    for member in &members {
        for dependency in &member.dependencies {
            edges.push(Edge {
                from: member.name.to_string(),
                to: dependency.name.clone(),
                dev: dependency.kind == DependencyKind::Development,
                inside: members.iter().any(|other| other.name.as_str() == dependency.name),
            });
        }
    }
    edges
}
