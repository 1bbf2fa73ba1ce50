//! CONTRIBUTING.md tells the truth: the cases it lists are the tests there are, and so are the
//! checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    fs::read_to_string(workspace().join("CONTRIBUTING.md")).expect("the page")
}

/// Returns the columns of each row of the table under `heading`, without its head.
fn rows<'a>(page: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let (_, section) = page.split_once(heading).expect("the heading");
    let lines = section.lines().skip(1).take_while(|line| !line.starts_with('#'));
    let rows = lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.skip(1).map(|row| row.split(" | ").collect()).collect()
}

fn unquoted(code: &str) -> &str {
    code.trim_matches('`')
}

/// Adds the `case_` tests of each source below `directory`, with the source.
fn find_cases(directory: &str, cases: &mut BTreeSet<(String, String)>) {
    for entry in fs::read_dir(workspace().join(directory)).expect("a directory") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name");
        let path = format!("{directory}/{name}");
        if entry.file_type().expect("a type").is_dir() {
            find_cases(&path, cases);
        } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(entry.path()).expect("a source");
            let functions = source.lines().filter_map(|line| line.split_once("fn case_"));
            for (before, function) in functions {
                if !before.contains('"') {
                    let (name, _) = function.split_once('(').expect("arguments");
                    cases.insert((path.clone(), name.to_owned()));
                }
            }
        }
    }
}

#[test]
fn every_case_is_listed_and_every_listed_case_is_a_test() {
    let page = page();
    let mut listed = BTreeSet::new();
    let mut numbers = BTreeSet::new();
    for row in rows(&page, "## Cases from the field") {
        let [number, _, file, tests] = row[..] else { panic!("four columns: {row:?}") };
        numbers.insert(number.to_owned());
        for test in tests.split(", ") {
            listed.insert((unquoted(file).to_owned(), format!("{number}_{}", unquoted(test))));
        }
    }
    let all: BTreeSet<_> = (1..=38).map(|number| format!("{number:02}")).collect();
    assert_eq!(numbers, all);

    let mut found = BTreeSet::new();
    find_cases("tests", &mut found);
    find_cases("examples/tests", &mut found);
    assert_eq!(listed, found);
}

#[test]
fn every_check_is_listed() {
    let page = page();
    let listed = rows(&page, "## Checks").into_iter().map(|row| unquoted(row[0]).to_owned());
    let scripts = fs::read_dir(workspace().join("ci")).expect("a directory");
    let scripts = scripts.map(|entry| entry.expect("an entry").file_name().into_string().unwrap());
    let checks = scripts.filter(|script| script != "lib.sh").map(|script| format!("ci/{script}"));
    assert_eq!(listed.collect::<BTreeSet<_>>(), checks.collect());
}
