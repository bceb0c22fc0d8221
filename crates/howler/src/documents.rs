//! `howler completions` and `howler man`: what the command line's own description gives shells and readers.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::Status;
use crate::show;

/// Write completions for a shell on standard output
#[derive(Args)]
#[command(after_help = "\
Examples:
  howler completions bash > ~/.local/share/bash-completion/completions/howler
  howler completions zsh > ~/.zfunc/_howler      with ~/.zfunc in fpath
  howler completions fish > ~/.config/fish/completions/howler.fish")]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// Write manual pages: howler(1) on standard output, or one page for each command into a folder
#[derive(Args)]
#[command(after_help = "\
Examples:
  howler man | man -l -
  howler man ~/.local/share/man/man1")]
pub struct Man {
    /// The folder, made if it does not exist
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// Writes completions.
pub fn complete(options: &Completions, mut command: Command) -> anyhow::Result<Status> {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut command, "howler", &mut text);
    show::to_stdout(&text)?;
    Ok(Status::Fine)
}

/// Writes manual pages.
pub fn man(options: &Man, command: Command) -> anyhow::Result<Status> {
    let command = command.name("howler");
    if let Some(folder) = &options.folder {
        let cannot = || format!("cannot write to {}", folder.display());
        std::fs::create_dir_all(folder).with_context(cannot)?;
        clap_mangen::generate_to(command, folder).with_context(cannot)?;
        return Ok(Status::Fine);
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    show::to_stdout(&text)?;
    Ok(Status::Fine)
}
