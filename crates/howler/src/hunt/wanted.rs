//! What a hunt is to do: the command line over the folder's `campaign.toml` over the defaults.

use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use howler_campaign::registry;
use howler_campaign::setup::{csmith, fill_in};
use howler_campaign::spec::{CompilerSpec, GeneratorSpec, Spec};
use howler_campaign::variants;
use howler_lang::suggest;
use howler_store::Store;
use howler_toolchain::compiler::quoted;
use howler_toolchain::search::on_path;

use super::options::{Hunt, Seed};

/// A longer `campaign.toml` is something else.
const MOST_SPEC: u64 = 1 << 20;

/// What the command line asks for, or else what the folder's file says.
pub fn spec(options: &Hunt) -> anyhow::Result<Spec> {
    let file = options.dir.join("campaign.toml");
    let mut spec = if let Ok(data) = file.metadata() {
        if !data.is_file() || data.len() > MOST_SPEC {
            bail!("{} is no file of a campaign: a text of at most 1 MiB", file.display());
        }
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Spec::parse(&text).with_context(|| format!("{} makes no sense", file.display()))?
    } else {
        Spec::default()
    };
    if !options.compilers.is_empty() {
        let compiler = |command: &String| CompilerSpec {
            command: command.clone(),
            levels: options.levels.clone(),
            runner: None,
        };
        spec.compilers = options.compilers.iter().map(compiler).collect();
    } else if !options.levels.is_empty() {
        fill_in(&mut spec);
        spec.compilers.iter_mut().for_each(|compiler| compiler.levels = options.levels.clone());
    }
    if !options.generators.is_empty() || !options.corpora.is_empty() {
        spec.generators = Vec::new();
        for text in &options.generators {
            spec.generators.extend(generators(text, options)?);
        }
        for folder in &options.corpora {
            let folder =
                folder.canonicalize().with_context(|| format!("cannot read {}", folder.display()))?;
            let include = include_dirs(options)?;
            spec.generators.push(GeneratorSpec::Corpus { folder: folder.display().to_string(), include });
        }
    }
    let varies = |spec: &GeneratorSpec| matches!(spec, GeneratorSpec::Variants { .. });
    if !options.from.is_empty() && !spec.generators.iter().any(varies) {
        bail!("--from says whose programs emi makes variants of: --gen emi is missing");
    }
    spec.seed = match options.seed {
        Some(Seed::Number(seed)) => seed,
        Some(Seed::Random) if !Store::exists(&options.dir) => drawn(),
        Some(Seed::Random) | None => spec.seed,
    };
    spec.steps = options.steps.unwrap_or(spec.steps);
    spec.swarm = options.swarm.unwrap_or(spec.swarm);
    spec.extras = options.extras.unwrap_or(spec.extras);
    spec.trace_volatile |= options.trace_volatile;
    if let Some(std) = &options.std {
        spec.std.clone_from(std);
    }
    spec.check()?;
    Ok(spec)
}

/// A new seed, short enough to be typed. Commands are given the seed in their upper half of 64 bits.
fn drawn() -> u64 {
    // The system's own chance; Howler's begins here.
    let random = std::hash::RandomState::new().build_hasher().finish();
    (random >> 32).max(1)
}

/// The folders of `-I`, wherever Howler is started the next time.
fn include_dirs(options: &Hunt) -> anyhow::Result<Vec<String>> {
    let absolute = |folder: &PathBuf| {
        let folder = folder.canonicalize().with_context(|| format!("cannot read {}", folder.display()))?;
        Ok(folder.display().to_string())
    };
    options.include_dirs.iter().map(absolute).collect()
}

/// One generator; emi is one for each of its sources.
fn generators(text: &str, options: &Hunt) -> anyhow::Result<Vec<GeneratorSpec>> {
    let word = text.split([' ', ':']).next().unwrap_or_default();
    if word != variants::NAME {
        return Ok(vec![generator(text, options)?]);
    }
    let words = variants::TABLE.split(&text[word.len()..]);
    if options.from.is_empty() {
        return Ok(vec![GeneratorSpec::variants(words, GeneratorSpec::technique("smith"))]);
    }
    let of = |from: &String| {
        let folder = Path::new(from);
        if folder.is_dir() {
            let folder = folder.canonicalize().with_context(|| format!("cannot read {from}"))?;
            let (folder, include) = (folder.display().to_string(), include_dirs(options)?);
            return Ok(GeneratorSpec::variants(words.clone(), GeneratorSpec::Corpus { folder, include }));
        }
        Ok(GeneratorSpec::variants(words.clone(), generator(from, options)?))
    };
    options.from.iter().map(of).collect()
}

/// `orange`, `orange:without=float`, `csmith`, `csmith --max-funcs 3`, `command {seed}`.
fn generator(text: &str, options: &Hunt) -> anyhow::Result<GeneratorSpec> {
    let word = text.split([' ', ':']).next().unwrap_or_default();
    if let Some(entry) = registry::named(word) {
        let options = entry.technique.options.split(&text[word.len()..]);
        return Ok(GeneratorSpec::Technique { name: word.to_owned(), options });
    }
    if word == "csmith" && !text.contains("{seed}") {
        let words: Vec<String> = text.split_whitespace().skip(1).map(str::to_owned).collect();
        return Ok(csmith(&words));
    }
    if !text.contains("{seed}") {
        bail!(
            "there is no generator '{text}'{} (known: {}, emi, csmith, and any command with {{seed}} in it)",
            suggest::hint(
                word,
                registry::TECHNIQUES
                    .iter()
                    .map(|entry| entry.technique.name)
                    .chain(["csmith", variants::NAME])
            ),
            registry::names()
        );
    }
    // Generators run elsewhere: a path must not depend on where this is.
    let command = text.split_whitespace().next().unwrap_or_default();
    let file = Path::new(command);
    let found = if command.contains('/') { file.canonicalize().ok() } else { on_path(file.as_os_str()) };
    let Some(found) = found.filter(|found| found.is_file()) else {
        bail!("there is no generator '{command}': no such program");
    };
    let name = file.file_name().map_or(command.into(), |name| name.to_string_lossy()).into_owned();
    let mut include = include_dirs(options)?;
    if name == "csmith"
        && include.is_empty()
        && let GeneratorSpec::Command { include: known, .. } = csmith(&[])
    {
        include = known;
    }
    let rest = text.trim_start().strip_prefix(command).unwrap_or_default();
    let command = if command.contains('/') { quoted(&found.to_string_lossy()) } else { command.to_owned() };
    Ok(GeneratorSpec::Command { name, command: command + rest, include })
}
