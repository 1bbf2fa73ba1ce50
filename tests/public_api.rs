//! Everything public of `bp`, beside the text that was last agreed to: what changes for users
//! shows in review.
//!
//! Read from the pages of rustdoc, which stable compilers write as well. They list also what the
//! macros emit and which of `Send`, `Sync` and `Unpin` a type has. What only repeats std is left
//! out: blanket impls, methods reached by deref, the methods of trait impls.
//!
//! `UPDATE_EXPECT=1 cargo test -p bp-tests --test public_api` writes the text anew; read the
//! difference.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

#[rustversion::attr(not(stable(1.95)), ignore = "the pages are those of Rust 1.95")]
#[test]
fn the_public_api_is_the_agreed_one() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["doc", "--quiet", "--locked", "--package=bp", "--no-deps", "--all-features"])
        .arg("--target-dir")
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(status.success());

    let pages = target.join("doc/bp");
    let read = |page: &str| fs::read_to_string(pages.join(page)).expect(page);
    let index = read("all.html");
    let list = index.split_once("<section id=\"main-content\"").expect("the list of all items").1;
    let mut items: Vec<_> = list.split("<li><a href=\"").skip(1).map(until_quote).collect();
    items.sort_unstable_by_key(|page| name(page));
    assert!(items.len() > 80, "all.html lists all items, not {}", items.len());

    let mut api = String::from("# Written by tests/public_api.rs\n");
    for page in items {
        writeln!(api, "\n## {}\n", name(page)).unwrap();
        describe(&read(page), &mut api);
    }
    expect_test::expect_file!["../bp/public-api.txt"].assert_eq(&api);
}

/// `bp::aio::SleepPool (struct)`, from `aio/struct.SleepPool.html`.
fn name(page: &str) -> String {
    let (module, file) = page.rsplit_once('/').unwrap_or(("", page));
    let (kind, rest) = file.split_once('.').expect("kind.Name.html");
    let path: Vec<_> = ["bp"]
        .into_iter()
        .chain(module.split('/').filter(|part| !part.is_empty()))
        .chain([rest.trim_end_matches(".html")])
        .collect();
    format!("{} ({kind})", path.join("::"))
}

/// Writes the declaration of an item, then its impls, those of one kind in order of their text.
fn describe(page: &str, api: &mut String) {
    let declaration = page.split_once("class=\"rust item-decl\"><code>").expect("a declaration").1;
    let (declaration, page) = declaration.split_once("</code></pre>").expect("its end");
    for line in text(declaration).lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        writeln!(api, "{line}").unwrap();
    }

    for section in page.split("<h2 id=\"").skip(1) {
        let own = match until_quote(section) {
            "implementations" => true,
            "trait-implementations"
            | "synthetic-implementations"
            | "foreign-impls"
            | "implementors" => false,
            _ => continue,
        };
        let mut impls = Vec::new();
        for part in section.split("<h3 class=\"code-header\">").skip(1) {
            let mut headers = part.split("<h4 class=\"code-header\">");
            let mut text = format!("{}\n", line(headers.next().expect("the impl"), "</h3>"));
            for member in headers.map(|header| line(header, "</h4>")) {
                if own || member.starts_with("type ") || member.starts_with("const ") {
                    writeln!(text, "    {member}").unwrap();
                }
            }
            // What only the compiler and its library name.
            if !["Freeze for", "StructuralPartialEq for", "UnsafeUnpin for"]
                .iter()
                .any(|unstable| text.contains(unstable))
            {
                impls.push(text);
            }
        }
        impls.sort_unstable();
        api.extend(impls);
    }
}

/// Returns the text before the end tag, in one line.
fn line(html: &str, end: &str) -> String {
    let html = html.split_once(end).expect("a header ends").0;
    text(html).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns what a browser shows of the code.
fn text(html: &str) -> String {
    let mut text = String::new();
    let html = html.replace("<div class=\"where\">", " <div>").replace("</div>", "</div>\n");
    let mut parts = html.split('<');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (tag, shown) = part.split_once('>').expect("a tag ends");
        // `Show 17 fields`.
        if !tag.starts_with("summary") && tag != "span" {
            text.push_str(shown);
        }
    }
    // The sign of a type that is an iterator, a reader or a writer.
    text = text.replace("\u{a0}ⓘ", "").replace(" ⓘ", "").replace('\u{a0}', " ");
    for (entity, character) in
        [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'")]
    {
        text = text.replace(entity, character);
    }
    text.replace("&amp;", "&")
}

fn until_quote(html: &str) -> &str {
    html.split('"').next().unwrap_or_default()
}
