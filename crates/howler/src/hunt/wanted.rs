//! What a hunt is to do: the command line over the folder's `campaign.toml` over the defaults.

use std::hash::{BuildHasher, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use howler_campaign::registry;
use howler_campaign::setup::{csmith, fill_in};
use howler_campaign::spe;
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
    if !options.generators.is_empty() || !options.corpora.is_empty() || !options.from.is_empty() {
        spec.generators = generators(options)?;
        for folder in &options.corpora {
            let folder =
                folder.canonicalize().with_context(|| format!("cannot read {}", folder.display()))?;
            let include = include_dirs(options)?;
            spec.generators.push(GeneratorSpec::Corpus { folder: folder.display().to_string(), include });
        }
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

/// What `--gen` and `--from` name. Folders alone are spe's.
fn generators(options: &Hunt) -> anyhow::Result<Vec<GeneratorSpec>> {
    let alone = [spe::TECHNIQUE.name.to_owned()];
    let named = match options.generators.is_empty() && !options.from.is_empty() {
        true => &alone[..],
        false => &options.generators,
    };
    let mut all = Vec::new();
    let mut uses_from = false;
    for text in named {
        let word = text.split([' ', ':']).next().unwrap_or_default();
        let takes_folders = registry::named(word).is_some_and(|entry| entry.from.is_some());
        uses_from |= takes_folders || word == variants::NAME;
        if word == variants::NAME {
            all.extend(variants_of(&variants::TABLE.split(&text[word.len()..]), options)?);
        } else if takes_folders && !options.from.is_empty() {
            all.extend(siblings_of(&spe::FROM.split(&text[word.len()..]), options)?);
        } else {
            all.push(generator(text, options)?);
        }
    }
    if !options.from.is_empty() && !uses_from {
        bail!("--from is for --gen spe and --gen emi, which are not asked for");
    }
    Ok(all)
}

/// emi is one generator for each of its sources.
fn variants_of(words: &[String], options: &Hunt) -> anyhow::Result<Vec<GeneratorSpec>> {
    if options.from.is_empty() {
        return Ok(vec![GeneratorSpec::variants(words.to_vec(), GeneratorSpec::technique("smith"))]);
    }
    let of = |from: &String| {
        let source = match Path::new(from).is_dir() {
            true => GeneratorSpec::Corpus { folder: folder(from)?, include: include_dirs(options)? },
            false => generator(from, options)?,
        };
        Ok(GeneratorSpec::variants(words.to_vec(), source))
    };
    options.from.iter().map(of).collect()
}

/// spe is one for each folder; what else emi takes is not its business, unless nothing but that is there.
fn siblings_of(words: &[String], options: &Hunt) -> anyhow::Result<Vec<GeneratorSpec>> {
    let for_emi = options.generators.iter().any(|text| text.split([' ', ':']).next() == Some(variants::NAME));
    let of = |from: &String| {
        let (folder, include) = (folder(from)?, include_dirs(options)?);
        Ok(GeneratorSpec::Siblings { folder, options: words.to_vec(), include })
    };
    options.from.iter().filter(|from| !for_emi || Path::new(from).is_dir()).map(of).collect()
}

/// A folder, wherever Howler is started the next time.
fn folder(name: &str) -> anyhow::Result<String> {
    let path = Path::new(name).canonicalize().with_context(|| format!("cannot read {name}"))?;
    Ok(path.display().to_string())
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
