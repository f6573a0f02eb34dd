use lorimer_authorize::{
    Authorizer as _, ClearRequest, Clearance, Gate, McpServer, MissingPolicy, Question, missing_dependencies,
};
use lorimer_core::{Code, Dependency, Digest, Skill};

use crate::{http, skill};

const URL: &str = "https://example.invalid/mcp";

fn needing(dependencies: impl IntoIterator<Item = Dependency>) -> Skill {
    let mut skill = skill("review");
    skill.dependencies.extend(dependencies);
    skill
}

fn server(name: &str, transport: &str, target: &str) -> McpServer {
    McpServer { name: name.to_owned(), transport: transport.to_owned(), target: target.to_owned() }
}

fn stdio(name: &str, command: &str) -> Dependency {
    Dependency {
        kind: "MCP".to_owned(),
        value: name.to_owned(),
        transport: Some("STDIO".to_owned()),
        command: Some(command.to_owned()),
        ..Dependency::default()
    }
}

fn missing(skill: &Skill, servers: &[McpServer]) -> Vec<String> {
    missing_dependencies(skill, servers).missing.into_iter().map(|dependency| dependency.value).collect()
}

fn clear(gate: &Gate, skill: &Skill, servers: &[McpServer], declined: &[String]) -> Clearance {
    gate.clear(&ClearRequest { skill, digest: Digest::of(b""), servers, declined })
}

fn question(clearance: Clearance) -> Question {
    match clearance {
        Clearance::Ask { question, .. } => question,
        other => panic!("expected a question, got {other:?}"),
    }
}

/// S3-35: a server is the same under another name, in another case of its transport, with white space around it.
#[test]
fn s3_35_a_server_is_known_by_transport_and_target() {
    let skill = needing([http("github", URL), stdio("local", " run-it ")]);
    assert_eq!(missing(&skill, &[]), ["github", "local"]);
    let servers =
        [server("other", "Streamable_HTTP", &format!(" {URL}\n")), server("another", "stdio", "run-it")];
    assert!(missing(&skill, &servers).is_empty());
    assert_eq!(missing(&skill, &[server("github", "stdio", URL)]), ["github", "local"]);
}

#[test]
fn one_server_under_two_names_is_missing_once() {
    assert_eq!(missing(&needing([http("alias-one", URL), http("alias-two", URL)]), &[]), ["alias-one"]);
    let two_urls = needing([http("same", URL), http("same", "https://example.invalid/2")]);
    let found = missing_dependencies(&two_urls, &[]).missing;
    assert_eq!(found, [http("same", "https://example.invalid/2")]);
}

#[test]
fn without_a_target_the_name_counts() {
    let skill = needing([http("github", "  ")]);
    assert_eq!(missing(&skill, &[]), ["github"]);
    assert!(missing(&skill, &[server("github", "stdio", "")]).is_empty());
}

#[test]
fn what_cannot_be_checked_is_reported_and_skipped() {
    let no_url = Dependency { url: None, ..http("a", "") };
    let no_command = Dependency { command: None, ..stdio("b", "") };
    let pigeon = Dependency { transport: Some("pigeon".to_owned()), ..http("c", URL) };
    let variable =
        Dependency { kind: "env_var".to_owned(), value: "TOKEN".to_owned(), ..Dependency::default() };
    let found = missing_dependencies(&needing([no_url, no_command, pigeon, variable]), &[]);
    assert!(found.missing.is_empty());
    assert!(
        found
            .diagnostics
            .iter()
            .all(|found| found.code == Code::DependencyInvalid && found.location.is_some())
    );
    let messages: Vec<_> = found.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "dependency `a` cannot be checked: a `streamable_http` server needs a `url`",
            "dependency `b` cannot be checked: a `stdio` server needs a `command`",
            "dependency `c` cannot be checked: the transport `pigeon` is unknown",
        ]
    );
}

/// S3-39: a skill that is loaded and needs something is not usable yet, and the policy says what comes of it.
#[test]
fn s3_39_loaded_is_not_usable() {
    let skill = needing([http("github", URL)]);
    let with = |missing| Gate { missing, ..Gate::default() };
    assert_eq!(clear(&with(MissingPolicy::Ignore), &skill, &[], &[]), Clearance::Cleared);
    assert_eq!(
        clear(&with(MissingPolicy::Block), &skill, &[], &[]),
        Clearance::Blocked { missing: vec![http("github", URL)], reason: "dependency-missing".to_owned() }
    );
    let Clearance::Ask { missing, question } = clear(&with(MissingPolicy::Ask), &skill, &[], &[]) else {
        panic!("a person has to be declined");
    };
    assert_eq!(missing, [http("github", URL)]);
    assert_eq!(question.id, format!("mcp-dependency:mcp__streamable_http__{URL}"));
    assert_eq!(
        question.text,
        "The skill `review` needs MCP servers that this session does not have: github. Install them?"
    );
    assert_eq!(question.options, ["Install", "Continue without"]);

    let servers = [server("github", "streamable_http", URL)];
    for policy in [MissingPolicy::Ask, MissingPolicy::Block, MissingPolicy::Ignore] {
        assert_eq!(clear(&with(policy), &skill, &servers, &[]), Clearance::Cleared);
    }
}

/// Each server is declined about once in a session, whatever the answer was and whichever skill needs it.
#[test]
fn nobody_is_asked_twice() {
    let gate = Gate::default();
    let comma = http("comma", "https://example.invalid/a,b%2C");
    let both = needing([comma.clone(), http("github", URL)]);
    let declined = [question(clear(&gate, &both, &[], &[])).id];
    let expected = vec![comma.clone(), http("github", URL)];
    assert_eq!(
        clear(&gate, &both, &[], &declined),
        Clearance::Blocked { missing: expected, reason: "declined".to_owned() }
    );
    assert!(matches!(clear(&gate, &needing([comma]), &[], &declined), Clearance::Blocked { .. }));
    let third = needing([http("github", URL), http("new", "https://example.invalid/new")]);
    let next = question(clear(&gate, &third, &[], &declined));
    assert_eq!(next.id, "mcp-dependency:mcp__streamable_http__https://example.invalid/new");
    assert!(next.text.contains(": new."), "{}", next.text);
    assert!(matches!(clear(&gate, &third, &[], &[declined[0].clone(), next.id]), Clearance::Blocked { .. }));
}
