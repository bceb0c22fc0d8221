//! `howler doctor`: what this machine has for a hunt.

use howler_campaign::registry;
use howler_toolchain::compiler::{Configured, Dialect, detect};
use howler_toolchain::guard::{Guard, GuardOptions};
use howler_toolchain::search::on_path;
use serde_json::json;

use super::options::Doctor;
use crate::Status;
use crate::show;

/// Looks at everything, and says what is missing.
pub fn run(options: &Doctor) -> anyhow::Result<Status> {
    let guard = Guard::start(&GuardOptions::default())?;
    let mut text = String::from("layers around programs under test:\n");
    let mut layers = Vec::new();
    for (name, layer) in guard.layers().list() {
        text.push_str(&format!("  {name:<20} {layer}\n"));
        layers.push(json!({ "name": name, "active": layer.is_active(), "detail": layer.to_string() }));
    }
    text.push_str(&format!("scratch folder: {}\n", guard.scratch().display()));
    text.push_str("compilers:\n");
    let mut compilers = Vec::new();
    for compiler in detect() {
        let configured = Configured { compiler: compiler.clone(), flags: Vec::new() };
        let target = match configured.dialect() {
            Ok(Dialect::Known(target)) => target.name(),
            Ok(Dialect::CrashOnly(why)) => format!("crashes only: {why}"),
            Err(error) => format!("not usable: {error}"),
        };
        text.push_str(&format!("  {:<12} {:<10} {target}\n", compiler.name, compiler.version));
        compilers.push(json!({ "name": compiler.name, "version": compiler.version, "triple": compiler.triple, "target": target }));
    }
    if compilers.is_empty() {
        text.push_str("  none: install one (Debian: apt install gcc tcc)\n");
    }
    let mut generators: Vec<String> = registry::NAMES.iter().map(|&name| name.to_owned()).collect();
    if on_path("csmith".as_ref()).is_some() {
        generators.push("csmith".to_owned());
    }
    text.push_str(&format!("generators: {}\n", generators.join(", ")));
    if options.json {
        let value = json!({
            "layers": layers,
            "scratch": guard.scratch(),
            "compilers": compilers,
            "generators": generators,
        });
        show::to_stdout(format!("{value:#}\n").as_bytes())?;
    } else {
        show::to_stdout(text.as_bytes())?;
    }
    Ok(if compilers.is_empty() { Status::Failed } else { Status::Fine })
}
