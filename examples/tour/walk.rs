//! The files below a directory.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What a walk found.
#[derive(Default)]
pub(crate) struct Tree {
    /// Regular files, in the order of their paths.
    pub(crate) files: Vec<PathBuf>,
    /// Directories that could not be read, each with its reason.
    pub(crate) errors: Vec<String>,
}

/// Walks down from `root`, which must be readable, past every name that `skip` accepts.
///
/// Links are not followed, so the walk ends and stays below `root`.
pub(crate) fn walk(root: &Path, skip: impl Fn(&OsStr) -> bool) -> io::Result<Tree> {
    let mut tree = Tree::default();
    visit(root, &skip, &mut tree)?;
    tree.files.sort_unstable();
    Ok(tree)
}

fn visit(dir: &Path, skip: &impl Fn(&OsStr) -> bool, tree: &mut Tree) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if skip(&entry.file_name()) {
            continue;
        }
        let (path, kind) = (entry.path(), entry.file_type()?);
        if kind.is_file() {
            tree.files.push(path);
        } else if kind.is_dir()
            && let Err(error) = visit(&path, skip, tree)
        {
            tree.errors.push(format!("{}: {error}", path.display()));
        }
    }
    Ok(())
}

/// Says whether a name is hidden by the custom of Unix.
pub(crate) fn hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}
