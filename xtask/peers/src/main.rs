//! Other crates that load skills, each with the call that its documentation shows.
//!
//! `peers NAME DIR` loads all skills below a folder once and prints `skills N seconds S`; `peers` prints the names.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

type Loaded = Result<usize, Box<dyn Error>>;

const PEERS: [(&str, fn(&Path) -> Loaded); 3] =
    [("rmcp", rmcp), ("craftbag", craftbag), ("agent-skills", agent_skills)];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, root] = arguments.as_slice() else {
        for (name, _) in PEERS {
            println!("{name}");
        }
        return Ok(());
    };
    let (_, load) = PEERS.into_iter().find(|(known, _)| known == name).ok_or("there is no such peer")?;
    let start = Instant::now();
    let skills = load(Path::new(root))?;
    println!("skills {skills} seconds {}", start.elapsed().as_secs_f64());
    Ok(())
}

/// A catalog of a folder, as an MCP server offers it.
fn rmcp(root: &Path) -> Loaded {
    Ok(rmcp::handler::server::skill_catalog::SkillCatalog::from_dir(root)?.skills().len())
}

/// One folder of skills and none of the places that are looked at by themselves.
fn craftbag(root: &Path) -> Loaded {
    let options = craftbag::DiscoveryOptions {
        user_skills_dir: Some(root.to_owned()),
        implicit_roots: false,
        ..craftbag::DiscoveryOptions::default()
    };
    Ok(craftbag::discover(root, &options).skills.len())
}

/// It loads a single skill's folder; whoever uses it lists the folders. Lenient, because half of the skills would be
/// refused otherwise.
fn agent_skills(root: &Path) -> Loaded {
    let folders = fs::read_dir(root)?.flatten().map(|entry| entry.path());
    Ok(folders.filter(|folder| agent_skills::SkillDirectory::load_lenient(folder).is_ok()).count())
}
