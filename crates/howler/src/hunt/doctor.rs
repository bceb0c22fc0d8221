//! `howler doctor`: what this machine has for a hunt.

use howler_campaign::registry;
use howler_toolchain::compiler::Dialect;
use howler_toolchain::doctor::{Found, survey, survey_root};
use serde_json::{Value, json};

use super::options::Doctor;
use crate::Status;
use crate::show;

/// Looks at everything, and says what is missing.
pub fn run(options: &Doctor) -> anyhow::Result<Status> {
    let survey = survey();
    let mut text = format!("system: Linux {}, {} processors\n", survey.kernel, survey.processors);
    let mut layers: Vec<Value> = Vec::new();
    match &survey.guard {
        Ok(protection) => {
            text.push_str("layers around programs under test:\n");
            for (name, layer) in protection.layers.list() {
                text.push_str(&format!("  {name:<20} {layer}\n"));
                layers
                    .push(json!({ "name": name, "active": layer.is_active(), "detail": layer.to_string() }));
            }
            text.push_str(&format!("scratch folders in: {}\n", protection.place.display()));
        }
        Err(why) => text.push_str(&format!("programs cannot be run safely: {why}\n")),
    }
    text.push_str("compilers:\n");
    text.push_str(&table(&survey.compilers));
    if survey.compilers.is_empty() {
        text.push_str("  none: install one (Debian: apt install gcc tcc)\n");
    }
    let mut compilers: Vec<Value> = survey.compilers.iter().map(described).collect();
    for root in &options.roots {
        let found = survey_root(root).map_err(anyhow::Error::msg)?;
        text.push_str(&format!("compilers in {}:\n", root.display()));
        text.push_str(&table(&found));
        if found.is_empty() {
            text.push_str("  none\n");
        }
        compilers.extend(found.iter().map(described));
    }
    let own = registry::TECHNIQUES.iter().map(|entry| entry.technique.name.to_owned());
    let csmith = survey.csmith.iter().map(|tool| format!("csmith ({})", tool.version));
    let generators: Vec<String> = own.chain(csmith).collect();
    text.push_str(&format!("generators: {}\n", generators.join(", ")));
    if options.json {
        let value = json!({
            "kernel": survey.kernel,
            "processors": survey.processors,
            "layers": layers,
            "trouble": survey.guard.as_ref().err(),
            "scratch": survey.guard.as_ref().ok().map(|protection| &protection.place),
            "compilers": compilers,
            "emulators": survey.emulators,
            "generators": generators,
        });
        show::to_stdout(format!("{value:#}\n").as_bytes())?;
    } else {
        show::to_stdout(text.as_bytes())?;
    }
    let ready = survey.guard.is_ok() && !survey.compilers.is_empty();
    Ok(if ready { Status::Fine } else { Status::Failed })
}

fn table(all: &[Found]) -> String {
    let width = all.iter().map(|found| found.compiler.name.len()).max().unwrap_or(0).max(12);
    let line = |Found { compiler, flags, dialect }: &Found| {
        let (name, version, target) = (&compiler.name, &compiler.version, target(dialect));
        format!("  {name:<width$} {version:<10} {target}, with {}\n", flags.join(" "))
    };
    all.iter().map(line).collect()
}

fn described(Found { compiler, flags, dialect }: &Found) -> Value {
    json!({
        "name": compiler.name,
        "version": compiler.version,
        "triple": compiler.triple,
        "flags": flags,
        "target": target(dialect),
        "root": compiler.root,
    })
}

fn target(dialect: &Dialect) -> String {
    match dialect {
        Dialect::Known(target) => target.name(),
        Dialect::CrashOnly(why) => format!("crashes only: {why}"),
    }
}
