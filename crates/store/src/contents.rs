//! Folders of findings: written beside, made durable, then renamed into place. So a folder with an id's name is whole.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use howler_case::Id;

use crate::error::{Error, Result};
use crate::row::File;

/// What names of unfinished folders start with.
const UNFINISHED: &str = ".unfinished-";

/// Makes the folder of a finding, unless it is there. When this returns, it is on disk.
pub(crate) fn place(findings: &Path, id: Id, files: impl FnOnce() -> Result<Vec<File>>) -> Result<()> {
    let target = findings.join(id.to_string());
    if target.is_dir() {
        return Ok(());
    }
    let files = files()?;
    fs::create_dir_all(findings).map_err(|error| Error::io("create", findings, &error))?;
    let beside = findings.join(format!("{UNFINISHED}{id}"));
    let result = remove(&beside).and_then(|()| write_all(&beside, &files)).and_then(|()| {
        fs::rename(&beside, &target).map_err(|error| Error::io("rename into place", &target, &error))?;
        sync_folder(findings)
    });
    if result.is_err() {
        // What is left takes space that may be the very thing missing. The next opening tries again if this fails.
        let _ = remove(&beside);
    }
    result
}

/// Removes a folder of a finding that gave way to another. Renamed first, so that no half of it is taken for whole.
pub(crate) fn displace(findings: &Path, id: Id) -> Result<()> {
    let target = findings.join(id.to_string());
    let beside = findings.join(format!("{UNFINISHED}{id}"));
    remove(&beside)?;
    match fs::rename(&target, &beside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Error::io("remove", &target, &error)),
        Ok(()) => remove(&beside),
    }
}

/// What is in the folder of findings: ids, and names of anything else.
pub(crate) fn list(findings: &Path) -> Result<(Vec<Id>, Vec<String>)> {
    let (mut ids, mut others) = (Vec::new(), Vec::new());
    for entry in read_folder(findings)? {
        let name = entry.file_name().to_string_lossy().into_owned();
        match name.parse::<Id>() {
            // A name in capitals is not one that we gave.
            Ok(id) if id.to_string() == name => ids.push(id),
            _ if name.starts_with(UNFINISHED) => {}
            _ => others.push(name),
        }
    }
    ids.sort_unstable();
    others.sort_unstable();
    Ok((ids, others))
}

/// Removes what a killed process left unfinished.
pub(crate) fn sweep(findings: &Path) -> Result<()> {
    for entry in read_folder(findings)? {
        if entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes()) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// The bytes of all files in a folder, links not followed.
pub(crate) fn size(folder: &Path) -> Result<u64> {
    let mut total = 0_u64;
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in read_folder(&folder)? {
            match entry.metadata() {
                Ok(data) if data.is_dir() => waiting.push(entry.path()),
                Ok(data) => total = total.saturating_add(data.len()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::io("look at", &entry.path(), &error)),
            }
        }
    }
    Ok(total)
}

/// Writes a file so that it is there whole or not at all.
pub(crate) fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let beside = folder.join(format!("{UNFINISHED}{name}"));
    let target = folder.join(name);
    remove(&beside)?;
    write_file(&beside, bytes, false)?;
    fs::rename(&beside, &target).map_err(|error| Error::io("rename into place", &target, &error))?;
    sync_folder(folder)
}

fn write_all(folder: &Path, files: &[File]) -> Result<()> {
    fs::create_dir(folder).map_err(|error| Error::io("create", folder, &error))?;
    for file in files {
        write_file(&folder.join(&file.name), &file.bytes, file.executable)?;
    }
    sync_folder(folder)
}

fn write_file(path: &Path, bytes: &[u8], executable: bool) -> Result<()> {
    let mode = if executable { 0o777 } else { 0o666 };
    let written =
        OpenOptions::new().write(true).create_new(true).mode(mode).open(path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
    written.map_err(|error| Error::io("write", path, &error))
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    fs::File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| Error::io("sync", folder, &error))
}

fn read_folder(folder: &Path) -> Result<Vec<fs::DirEntry>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.and_then(Iterator::collect::<io::Result<Vec<_>>>),
    };
    entries.map_err(|error| Error::io("read", folder, &error))
}

fn remove(path: &PathBuf) -> Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Err(error) => Err(error),
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other.map_err(|error| Error::io("remove", path, &error)),
    }
}
