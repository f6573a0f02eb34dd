//! Fuzzes the places that take bytes of others, where a fuzzer can be built.

use anyhow::Context as _;
use toml::{Table, Value};
use xshell::{Shell, cmd};

use crate::workspace;

/// What to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only this target
    target: Option<String>,
    /// Seconds for each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Runs the targets one after the other and returns whether none found anything. Where it cannot, it says so.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let manifest = std::fs::read_to_string(workspace::root().join("fuzz/Cargo.toml"))?;
    let targets = targets(&manifest, arguments.target.as_deref())?;
    let shell = Shell::new()?;
    shell.change_dir(workspace::root());
    if cmd!(shell, "cargo +nightly fuzz --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        eprintln!(
            "fuzz: SKIPPED, nothing was fuzzed: it needs a nightly toolchain and `cargo install cargo-fuzz`; \
             `cargo test` has the seeds"
        );
        return Ok(true);
    }
    let mut fine = true;
    for target in targets {
        let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
        std::fs::create_dir_all(workspace::root().join(&corpus))?;
        let seconds = arguments.seconds.to_string();
        eprintln!("fuzz: {target}, {seconds} s");
        // No code of ours is unsafe, so a sanitizer would only take the time for more inputs. One that takes seconds is a
        // finding too.
        let fuzz = cmd!(
            shell,
            "cargo +nightly fuzz run --sanitizer none {target} {corpus} {seeds} --
             -max_total_time={seconds} -timeout=10 -rss_limit_mb=2048 -print_final_stats=1"
        );
        fine &= fuzz.quiet().run().is_ok();
    }
    Ok(fine)
}

/// Returns the names of the targets, or of the one that is wanted.
fn targets(manifest: &str, wanted: Option<&str>) -> anyhow::Result<Vec<String>> {
    let manifest: Table = manifest.parse()?;
    let all = manifest.get("bin").and_then(Value::as_array).into_iter().flatten();
    let names = all.filter_map(|target| target.get("name")?.as_str());
    let found: Vec<String> =
        names.filter(|name| wanted.is_none_or(|wanted| wanted == *name)).map(str::to_owned).collect();
    anyhow::ensure!(!found.is_empty(), "there is no target `{}`", wanted.context("no targets")?);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target without seeds starts from nothing, and none of it is replayed by ordinary tests.
    #[test]
    fn every_target_has_its_code_and_its_seeds() {
        let folder = workspace::root().join("fuzz");
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let all = targets(&manifest, None).unwrap();
        assert_eq!(all, ["frontmatter", "openai_yaml", "cache_file", "wire", "archive", "journal"]);
        for target in all {
            assert!(folder.join(format!("fuzz_targets/{target}.rs")).is_file(), "{target}");
            assert!(folder.join("seeds").join(&target).read_dir().unwrap().next().is_some(), "{target}");
        }
        assert_eq!(targets(&manifest, Some("wire")).unwrap(), ["wire"]);
        assert!(targets(&manifest, Some("nothing")).is_err());
    }
}
