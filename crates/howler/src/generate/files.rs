//! Programs as files of a folder. What is there already and is something else stays as it is.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// A folder that programs are written to.
pub struct Files {
    folder: PathBuf,
    force: bool,
}

impl Files {
    /// The folder, made if it does not exist.
    pub fn open(folder: PathBuf, force: bool) -> anyhow::Result<Files> {
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(Files { folder, force })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a program: one file is called like the program, several lie in a folder of its name, with a makefile beside
    /// them. Gives where the files are.
    pub fn put(
        &mut self,
        name: &str,
        texts: &[(&str, Vec<u8>)],
        flags: &str,
    ) -> anyhow::Result<Vec<PathBuf>> {
        if let [(file, text)] = texts {
            let end = Path::new(file).extension().and_then(|end| end.to_str()).unwrap_or("c");
            let path = self.folder.join(format!("{name}.{end}"));
            self.write(&path, text)?;
            return Ok(vec![path]);
        }
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let mut paths = Vec::new();
        for (file, text) in texts {
            let path = folder.join(file);
            self.write(&path, text)?;
            paths.push(path);
        }
        self.write(&folder.join("Makefile"), makefile(texts, flags).as_bytes())?;
        Ok(paths)
    }

    fn write(&self, path: &Path, text: &[u8]) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", path.display());
        if self.force && path.symlink_metadata().is_ok() {
            // Not what a link points to.
            fs::remove_file(path).with_context(cannot)?;
        }
        let mut file = match fs::OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let plain =
                    path.metadata().is_ok_and(|data| data.is_file() && data.len() == text.len() as u64);
                if plain && fs::read(path).is_ok_and(|known| known == text) {
                    return Ok(());
                }
                bail!("{} is there and is something else: take another folder, or --force", path.display());
            }
            Err(error) => return Err(error).with_context(cannot),
        };
        file.write_all(text).inspect_err(|_| drop(fs::remove_file(path))).with_context(cannot)
    }
}

/// How files are compiled, each apart, and put together.
fn makefile(texts: &[(&str, Vec<u8>)], flags: &str) -> String {
    let objects = texts.iter().map(|(file, _)| Path::new(file).with_extension("o").display().to_string());
    format!(
        "# For example: make run CC=clang CFLAGS='{flags} -O3'\n\
         CC = cc\n\
         CFLAGS = {flags}\n\
         OBJECTS = {}\n\n\
         test: $(OBJECTS)\n\t$(CC) $(CFLAGS) $(OBJECTS) -o $@ -lm\n\n\
         run: test\n\t./test\n\n\
         clean:\n\trm -f test $(OBJECTS)\n\n\
         .PHONY: run clean\n",
        objects.collect::<Vec<_>>().join(" ")
    )
}
