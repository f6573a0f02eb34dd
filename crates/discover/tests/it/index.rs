//! Skills of a web site: a real server on this machine, with everything that can go wrong.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lorimer_core::{Code, Digest, Locator, ReadLimit, Scope, SourceId};
use lorimer_discover::{HttpFetch, IndexPolicy, IndexSource, ReadError, Reading, Scan, ScanRequest, Source};
use serde_json::{Value, json};

use crate::packing::{tar_gz, zip};
use crate::support::{codes, names, skill_text};

const SCHEMA: &str = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
const INDEX: &str = "/.well-known/agent-skills/index.json";

/// How the server answers.
#[derive(Clone)]
enum Answer {
    Body(Vec<u8>),
    Redirect(String),
    /// Says that the body has so many bytes, and sends none.
    Promise(usize),
    /// Sends a byte now and then.
    Slow,
    /// Sends bytes without an end, and without saying how many.
    Endless,
    Status(u16),
    Hangup,
}

/// A server on a free port, stopped when it goes away.
struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    answers: Mutex<HashMap<String, Answer>>,
    asked: Mutex<Vec<String>>,
    stop: AtomicBool,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let inner = Arc::clone(&shared);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if inner.stop.load(Ordering::SeqCst) {
                    return;
                }
                // A client that gives up is what some tests are about.
                let _ = stream.map(|stream| answer(&inner, stream));
            }
        });
        Self { address, shared, thread: Some(thread) }
    }

    fn put(&self, path: &str, answer: Answer) {
        self.shared.answers.lock().unwrap().insert(path.to_owned(), answer);
    }

    fn index(&self, skills: &Value) {
        let index = json!({"$schema": SCHEMA, "skills": skills, "more": 1});
        self.put(INDEX, Answer::Body(index.to_string().into_bytes()));
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.shared.asked.lock().unwrap())
    }

    fn source(&self) -> IndexSource {
        self.source_with(IndexPolicy { plain_http: true, ..IndexPolicy::default() }, Duration::from_secs(20))
    }

    fn source_with(&self, policy: IndexPolicy, deadline: Duration) -> IndexSource {
        let scope = Scope::Environment { id: "site".to_owned() };
        let index = IndexSource::well_known(&self.url("/"));
        IndexSource::new(SourceId::new("site"), index, scope, HttpFetch::new(deadline), Reading::lenient())
            .with_policy(policy)
    }

    fn scan(&self) -> Scan {
        self.source().scan(&ScanRequest::default())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(shared: &Shared, mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let answer = shared.answers.lock().unwrap().get(&path).cloned();
    shared.asked.lock().unwrap().push(path);
    let head =
        |status: &str, headers: &str| format!("HTTP/1.1 {status}\r\nConnection: close\r\n{headers}\r\n");
    match answer.unwrap_or(Answer::Status(404)) {
        Answer::Body(body) => {
            stream.write_all(head("200 OK", &format!("Content-Length: {}\r\n", body.len())).as_bytes())?;
            stream.write_all(&body)
        }
        Answer::Redirect(to) => {
            let headers = format!("Location: {to}\r\nContent-Length: 0\r\n");
            stream.write_all(head("302 Found", &headers).as_bytes())
        }
        Answer::Promise(length) => {
            stream.write_all(head("200 OK", &format!("Content-Length: {length}\r\n")).as_bytes())
        }
        Answer::Slow => {
            stream.write_all(head("200 OK", "Content-Length: 1000\r\n").as_bytes())?;
            for _ in 0..1000 {
                if shared.stop.load(Ordering::SeqCst) {
                    break;
                }
                stream.write_all(b"x")?;
                stream.flush()?;
                std::thread::sleep(Duration::from_millis(50));
            }
            Ok(())
        }
        Answer::Endless => {
            stream.write_all(head("200 OK", "").as_bytes())?;
            loop {
                stream.write_all(&[b'x'; 8192])?;
            }
        }
        Answer::Status(status) => {
            stream.write_all(head(&format!("{status} No"), "Content-Length: 0\r\n").as_bytes())
        }
        Answer::Hangup => Ok(()),
    }
}

fn entry(name: &str, kind: &str, url: &str, bytes: &[u8]) -> Value {
    let digest = Digest::of(bytes).to_string();
    json!({"name": name, "type": kind, "description": "d", "url": url, "digest": digest, "unknown": true})
}

/// Puts a skill file at `/NAME.md` and returns its entry.
fn skill(server: &Server, name: &str) -> Value {
    let text = skill_text(name).into_bytes();
    let entry = entry(name, "skill-md", &format!("/{name}.md"), &text);
    server.put(&format!("/{name}.md"), Answer::Body(text));
    entry
}

/// S3-03, S3-04, S3-14: skill files and archives of a site are listed by metadata, and read when they are wanted.
#[test]
fn s3_03_s3_04_s3_14_a_site_offers_skills_by_its_index() {
    let server = Server::start();
    let files = |name: &str| {
        vec![("SKILL.md", skill_text(name).into_bytes()), ("references/a.md", b"reference".to_vec())]
    };
    let (packed, zipped) = (tar_gz(&files("packed")), zip(&files("zipped")));
    server.index(&json!([
        skill(&server, "plain"),
        entry("packed", "archive", "packed.tar.gz", &packed),
        entry("zipped", "archive", &server.url("/z/zipped.zip#x"), &zipped),
    ]));
    server.put("/.well-known/agent-skills/packed.tar.gz", Answer::Body(packed));
    server.put("/z/zipped.zip", Answer::Body(zipped));
    let source = server.source();
    let scan = source.scan(&ScanRequest::default());
    assert_eq!((names(&scan), scan.complete), (vec!["plain", "packed", "zipped"], true));
    assert_eq!(scan.diagnostics, []);
    assert_eq!(server.asked().len(), 4);
    let [plain, packed, _] = scan.skills.as_slice() else { panic!("three skills") };
    assert_eq!(plain.id.locator, Locator::Uri(server.url("/plain.md")));
    assert_eq!((plain.scope.kind(), plain.root.path.as_str()), ("environment", server.url(INDEX).as_str()));
    assert_eq!(
        packed.id.locator,
        Locator::Package {
            package: server.url("/.well-known/agent-skills/packed.tar.gz"),
            resource: "SKILL.md".to_owned()
        }
    );
    assert_eq!(source.scan(&ScanRequest::default()), scan);
    assert_eq!(server.asked(), [INDEX], "what was seen with this digest is not fetched again");

    let read = |locator: &Locator| source.read(locator, ReadLimit::default());
    assert_eq!(read(&plain.id.locator).unwrap().bytes, skill_text("plain").as_bytes());
    assert!(source.read(&plain.id.locator, ReadLimit(Some(3))).unwrap().cut);
    assert_eq!(read(&packed.id.locator).unwrap().bytes, skill_text("packed").as_bytes());
    assert_eq!(source.files(&plain.id.locator).unwrap(), []);
    let files = source.files(&packed.id.locator).unwrap();
    assert_eq!(read(&files[0]).unwrap().bytes, b"reference");
    let other = Locator::Uri(server.url("/other.md"));
    assert!(matches!(read(&other), Err(ReadError::NotListed(_))));

    server.put("/plain.md", Answer::Body(b"other bytes".to_vec()));
    assert!(matches!(read(&plain.id.locator), Err(ReadError::Io { .. })), "a body is checked each time");
    server.put("/plain.md", Answer::Status(404));
    assert!(matches!(read(&plain.id.locator), Err(ReadError::NotFound(_))));
}

/// S3-30: bytes that the index does not promise are not used, and each trouble costs only its own skill.
#[test]
fn s3_30_what_does_not_come_as_promised_is_not_used() {
    let server = Server::start();
    let promised = |name: &str, url: &str| entry(name, "skill-md", url, skill_text(name).as_bytes());
    server.put("/wrong.md", Answer::Body(skill_text("wrong?").into_bytes()));
    server.put("/large.md", Answer::Promise(1 << 30));
    server.put("/endless.md", Answer::Endless);
    server.put("/hangup.md", Answer::Hangup);
    server.put("/away.md", Answer::Redirect("http://localhost.invalid/x".to_owned()));
    server.put("/loop.md", Answer::Redirect("/loop.md".to_owned()));
    for (name, code, message) in [
        ("wrong", Code::DigestMismatch, "the bytes are not the ones that the index promises"),
        ("missing", Code::RemoteUnavailable, "the server answers with status 404"),
        ("large", Code::RemoteUnavailable, "the resource has more than 16777216 bytes"),
        ("endless", Code::RemoteUnavailable, "the resource has more than 16777216 bytes"),
        ("hangup", Code::RemoteUnavailable, "the server cannot be reached"),
        ("away", Code::RemoteUnavailable, "the server cannot be reached: a redirect is not followed"),
        ("loop", Code::RemoteUnavailable, "the server cannot be reached: there are more than 3 redirects"),
    ] {
        server.index(&json!([promised(name, &format!("/{name}.md")), skill(&server, "good")]));
        let scan = server.scan();
        assert_eq!((names(&scan), scan.complete), (vec!["good"], false), "{name}");
        assert_eq!(codes(&scan.diagnostics), [code], "{name}");
        assert!(scan.diagnostics[0].message.starts_with(message), "{name}: {}", scan.diagnostics[0].message);
    }
}

#[test]
fn redirects_on_the_same_host_are_followed() {
    let server = Server::start();
    let good = skill(&server, "good");
    server.put("/moved.md", Answer::Redirect("./good.md".to_owned()));
    let mut moved = good;
    moved["url"] = json!("/moved.md");
    server.index(&json!([moved]));
    let scan = server.scan();
    assert_eq!((names(&scan), scan.diagnostics.len()), (vec!["good"], 0));
    assert_eq!(scan.skills[0].id.locator, Locator::Uri(server.url("/moved.md")));
}

/// Another host is asked only where that was allowed by name.
#[test]
fn other_hosts_are_asked_only_where_they_are_allowed() {
    let (server, other) = (Server::start(), Server::start());
    let mut elsewhere = skill(&other, "elsewhere");
    elsewhere["url"] = json!(other.url("/elsewhere.md"));
    server.index(&json!([elsewhere]));
    let scan = server.scan();
    assert_eq!((names(&scan).len(), codes(&scan.diagnostics)), (0, vec![Code::IndexInvalid]));
    assert_eq!(other.asked(), [] as [&str; 0]);
    let other_hosts = vec!["127.0.0.1".to_owned()];
    let policy = IndexPolicy { plain_http: true, other_hosts, ..IndexPolicy::default() };
    let scan = server.source_with(policy, Duration::from_secs(20)).scan(&ScanRequest::default());
    assert_eq!(names(&scan), ["elsewhere"]);

    server.put(INDEX, Answer::Redirect(other.url(INDEX)));
    other.index(&json!([]));
    other.asked();
    let scan = server.scan();
    assert_eq!((codes(&scan.diagnostics), scan.complete), (vec![Code::RemoteUnavailable], false));
    assert_eq!(other.asked(), [] as [&str; 0], "the index itself comes from its own host");
}

#[test]
fn a_slow_server_is_given_up_at_the_deadline() {
    let server = Server::start();
    server.put(INDEX, Answer::Slow);
    let policy = IndexPolicy { plain_http: true, ..IndexPolicy::default() };
    let started = Instant::now();
    let scan = server.source_with(policy, Duration::from_millis(600)).scan(&ScanRequest::default());
    // The whole body takes 50 seconds.
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!((codes(&scan.diagnostics), scan.complete), (vec![Code::RemoteUnavailable], false));
    assert_eq!(scan.diagnostics[0].message, "no complete answer came in time");
}

#[test]
fn a_dead_server_is_not_asked_for_everything() {
    let server = Server::start();
    let missing: Vec<Value> =
        (0..20).map(|number| entry("missing", "skill-md", &format!("/{number}.md"), b"")).collect();
    server.index(&json!(missing));
    let scan = server.scan();
    assert_eq!(codes(&scan.diagnostics), [Code::RemoteUnavailable; 4]);
    assert!(scan.diagnostics[3].message.starts_with("17 skills were not asked for"));
    assert_eq!(server.asked().len(), 4);

    let address = server.url("");
    drop(server);
    let policy = IndexPolicy { plain_http: true, ..IndexPolicy::default() };
    let source = IndexSource::new(
        SourceId::new("site"),
        IndexSource::well_known(&address),
        Scope::User,
        HttpFetch::default(),
        Reading::lenient(),
    );
    let scan = source.with_policy(policy).scan(&ScanRequest::default());
    assert_eq!(codes(&scan.diagnostics), [Code::RemoteUnavailable]);
}

#[test]
fn an_index_that_is_none_is_named() {
    let server = Server::start();
    for bad in ["", "<html>", "[]", "{}", r#"{"skills":[]}"#, r#"{"$schema":"x","skills":[]}"#] {
        server.put(INDEX, Answer::Body(bad.as_bytes().to_vec()));
        let scan = server.scan();
        assert_eq!((codes(&scan.diagnostics), scan.complete), (vec![Code::IndexInvalid], false), "{bad}");
    }
    server.index(&json!("none"));
    assert_eq!(codes(&server.scan().diagnostics), [Code::IndexInvalid]);
    server.put(INDEX, Answer::Body(vec![b' '; (1 << 20) + 1]));
    assert_eq!(codes(&server.scan().diagnostics), [Code::RemoteUnavailable]);
    let source = server.source_with(IndexPolicy::default(), Duration::from_secs(20));
    server.asked();
    assert_eq!(codes(&source.scan(&ScanRequest::default()).diagnostics), [Code::IndexInvalid]);
    assert_eq!(server.asked(), [] as [&str; 0], "without encryption nothing is asked");
}

#[test]
fn each_bad_entry_is_named_and_costs_only_itself() {
    let server = Server::start();
    let good = skill(&server, "good");
    let with = |key: &str, value: Value| {
        let mut entry = good.clone();
        entry[key] = value;
        entry
    };
    let digest = good["digest"].as_str().unwrap().to_owned();
    let bad = [
        json!(1),
        json!({}),
        with("name", json!("Not A Name")),
        with("name", json!(1)),
        with("type", json!("mcp")),
        with("description", json!(" ")),
        with("digest", json!("sha256:00")),
        with("digest", json!(digest.to_ascii_uppercase().replace("SHA256", "sha256"))),
        with("url", json!("file:///etc/passwd")),
        with("url", json!("http://user@127.0.0.1/")),
        with("url", json!("not an address")),
    ];
    for bad in bad {
        server.index(&json!([bad, good]));
        let scan = server.scan();
        assert_eq!((names(&scan), scan.complete), (vec!["good"], true), "{bad}");
        assert_eq!(codes(&scan.diagnostics), [Code::IndexInvalid], "{bad}");
    }
    for same in ["/good.md", "/./good.md"] {
        server.index(&json!([good, with("url", json!(same))]));
        let scan = server.scan();
        assert_eq!((names(&scan), codes(&scan.diagnostics)), (vec!["good"], vec![Code::IndexInvalid]));
    }
    server.index(&json!([with("name", json!("another"))]));
    let scan = server.scan();
    assert_eq!((names(&scan), codes(&scan.diagnostics)), (vec!["good"], vec![Code::IndexInvalid]));
    let many: Vec<Value> = (0..501).map(|_| json!(0)).collect();
    server.index(&json!(many));
    assert_eq!(codes(&server.scan().diagnostics), [Code::IndexInvalid; 501]);
}

#[test]
fn archives_of_a_site_keep_to_the_rules_of_archives() {
    let server = Server::start();
    let good = ("SKILL.md", skill_text("a").into_bytes());
    for (bytes, names_of, code) in [
        (zip(&[good.clone(), ("../x", Vec::new())]), vec!["a"], Code::ArchiveEntryRefused),
        (zip(&[("a/SKILL.md", good.1.clone())]), vec![], Code::IndexInvalid),
        (zip(&[("x", Vec::new())]), vec![], Code::IndexInvalid),
        (b"no archive".to_vec(), vec![], Code::ArchiveInvalid),
        (tar_gz(&[good.clone(), ("zeros", vec![0; 70 << 20])]), vec![], Code::ArchiveLimit),
        (zip(&[("SKILL.md", b"none".to_vec())]), vec![], Code::FrontmatterMissing),
    ] {
        server.index(&json!([entry("a", "archive", "/a", &bytes)]));
        server.put("/a", Answer::Body(bytes));
        let scan = server.scan();
        assert_eq!((names(&scan), codes(&scan.diagnostics)), (names_of, vec![code]));
    }
}
