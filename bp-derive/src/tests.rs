//! What is derived, as snapshots; what is reported, and where.
//!
//! `UPDATE_EXPECT=1 cargo test -p bp-derive` writes the snapshots anew; read the difference.

use expect_test::{ExpectFile, expect_file};
use proc_macro2::{LineColumn, Span, TokenStream};
use syn::parse::Parser;
use syn::{DeriveInput, Item, ItemMacro};

use crate::ast::Derive;
use crate::errors::nearest;
use crate::expand::derive;
use crate::place::placed;
use crate::scope::config_use;

/// Compares what is derived for `input` with a snapshot.
fn snapshot(which: Derive, input: &str, expected: &ExpectFile) {
    let input: DeriveInput = syn::parse_str(input).unwrap();
    let file: syn::File = syn::parse2(derive(which, &input)).unwrap();
    assert!(!is_error(&file.items[0]), "{}", prettyplease::unparse(&file));
    expected.assert_eq(&prettyplease::unparse(&file));
}

macro_rules! snapshots {
    ($($derive:ident $name:ident: $input:literal)*) => {
        $(#[test]
        fn $name() {
            let expected = expect_file![concat!("snapshots/", stringify!($name), ".rs")];
            snapshot(Derive::$derive, $input, &expected);
        })*
    };
}

snapshots! {
    Poolable unit_struct: "struct Unit;"

    Poolable tuple_struct: "struct Pair(Vec<u8>, #[pool(reset = skip)] u64);"

    Poolable named_struct: "struct Frame { pixels: Vec<u8>, width: u32 }"

    Poolable every_field_setting: "
        #[pool(config = Limits)]
        struct Request {
            #[pool(create = Vec::with_capacity(config.body))]
            body: Vec<u8>,
            #[pool(reset = skip)]
            id: u64,
            #[pool(reset = default)]
            state: State,
            #[pool(create = open(config), reset = with(rewind))]
            cursor: Cursor,
            #[pool(reset = with(|tags| tags.truncate(config.tags)))]
            tags: Vec<Tag>,
            #[pool(nested)]
            scratch: Scratch,
            #[pool(nested = &config.headers)]
            headers: Headers,
        }"

    Poolable every_item_setting: "
        #[pool(name = RequestPool, guard = RequestRef, config = Limits, crate = my::bp)]
        #[pool(create = Request::new(config), keep = self.size() < config.max || self.pinned)]
        #[pool(reset = with(Request::rewind))]
        pub(crate) struct Request {
            body: Vec<u8>,
            #[pool(nested)]
            scratch: Scratch,
        }"

    Poolable nested_objects_are_asked_to_keep: "
        struct Outer {
            #[pool(nested)]
            one: Inner,
            #[pool(nested)]
            two: Inner,
        }"

    Poolable arrays: "
        struct Blocks<T, const N: usize> {
            plain: [u8; 4096],
            matrix: [[T; 4]; N],
            #[pool(reset = default)]
            fresh: [Option<T>; N],
        }"

    Poolable generics: "
        #[pool(name = BatchPool, guard = BatchRef, config = Shape<T>)]
        pub struct Batch<'a, T: Copy = u8, const N: usize = 4>
        where
            T: 'a,
        {
            rows: Vec<T>,
            shape: Option<&'a str>,
            count: usize,
            #[pool(create = T::first(config), reset = skip)]
            first: T,
            #[pool(nested)]
            inner: Inner<T>,
            #[pool(nested = config)]
            other: Other<T>,
        }"

    Poolable enumeration: "
        #[pool(create = State::Idle, reset = default)]
        enum State { Idle, Busy(u8) }"

    Poolable typed_pool_without_config: "
        #[pool(name = TextPool, guard = TextRef)]
        pub struct r#Text { text: String }"

    Clear clear_struct: "
        struct Scratch<T> {
            items: Vec<T>,
            #[pool(reset = default)]
            mode: Mode,
            #[pool(reset = skip)]
            id: u64,
            #[pool(reset = with(VecDeque::clear))]
            queue: VecDeque<T>,
        }"

    Clear clear_enumeration: "
        #[pool(crate = my_bp, reset = with(|state| *state = State::Idle))]
        enum State { Idle, Busy(u8) }"
}

/// What was reported for `input`: each message behind the code that its caret is under.
fn reported(which: Derive, input: &str) -> Vec<(String, String)> {
    let parsed: DeriveInput = syn::parse_str(input).unwrap();
    let file: syn::File = syn::parse2(derive(which, &parsed)).unwrap();
    reports(input, &file)
}

fn reports(input: &str, file: &syn::File) -> Vec<(String, String)> {
    file.items.iter().filter(|item| is_error(item)).map(|item| report(input, item)).collect()
}

fn is_error(item: &Item) -> bool {
    matches!(item, Item::Macro(item) if item.mac.path.segments.last().unwrap().ident == "compile_error")
}

fn report(input: &str, item: &Item) -> (String, String) {
    let Item::Macro(ItemMacro { mac, .. }) = item else { unreachable!() };
    let message: syn::LitStr = mac.parse_body().unwrap();
    // A caret goes from the first token of a `compile_error!` to its last.
    let first = mac.path.segments[0].ident.span().start();
    let last = message.span().end();
    (input[offset(input, first)..offset(input, last)].to_owned(), message.value())
}

fn offset(input: &str, place: LineColumn) -> usize {
    let lines = input.split_inclusive('\n').take(place.line - 1);
    lines.map(str::len).sum::<usize>() + place.column
}

/// Asserts that `input` is wrong in the given places, each with a word of the advice.
#[track_caller]
fn wrong(which: Derive, input: &str, expected: &[(&str, &str)]) {
    let reported = reported(which, input);
    assert_eq!(reported.len(), expected.len(), "{reported:#?}");
    for ((under, message), (caret, advice)) in reported.iter().zip(expected) {
        assert_eq!(under, caret, "{message}");
        assert!(message.contains(advice), "{message:?} does not say {advice:?}");
    }
}

macro_rules! mistakes {
    ($($derive:ident $name:ident: $input:literal { $($caret:literal => $advice:literal)* })*) => {
        $(#[test]
        fn $name() {
            wrong(Derive::$derive, $input, &[$(($caret, $advice)),*]);
        })*
    };
}

mistakes! {
    Poolable union_is_told_to_be_wrapped: "union Raw { a: u8, b: i8 }" {
        "union" => "pool a struct around it"
    }
    Clear union_to_clear: "union Raw { a: u8, b: i8 }" {
        "union" => "clear a struct around it"
    }
    Poolable enum_without_steps: "enum State { Idle, Busy }" {
        "State" => "`#[pool(create = Default::default(), reset = default)]`"
    }
    Poolable enum_without_reset: "#[pool(create = State::Idle)] enum State { Idle, Busy }" {
        "State" => "`#[pool(reset = default)]`"
    }
    Clear enum_to_clear_without_reset: "enum State { Idle, Busy }" {
        "State" => "`#[pool(reset = default)]`"
    }
    Poolable settings_inside_an_enum: "
        #[pool(create = State::Idle, reset = default)]
        enum State { #[pool(reset = skip)] Idle, Busy(#[pool(nested)] u8) }" {
        "#[pool(reset = skip)]" => "above the enum"
        "#[pool(nested)]" => "above the enum"
    }

    Poolable settings_of_the_whole_on_a_field: "
        struct S {
            #[pool(keep = true, config = u8, crate = bp, name = P, guard = G)]
            a: u8,
        }" {
        "keep" => "where the field is `self.field`"
        "config" => "above the struct"
        "crate" => "above the struct"
        "name" => "above it"
        "guard" => "above it"
    }
    Poolable nested_on_the_whole: "#[pool(nested)] struct S;" {
        "nested" => "belongs on a field"
    }
    Poolable skip_on_the_whole: "#[pool(reset = skip)] struct S;" {
        "skip" => "reset = with(|_| {})"
    }
    Poolable steps_above_and_on_a_field: "
        #[pool(create = S::new(), reset = default)]
        struct S { #[pool(create = 1, reset = skip)] a: u8 }" {
        "create" => "above the struct makes every field"
        "reset" => "above the struct resets every field"
    }
    Poolable nested_with_steps: "
        struct S { #[pool(nested, create = 1)] a: u8, #[pool(reset = skip, nested)] b: u8 }" {
        "create" => "remove `create`, or remove `nested`"
        "nested" => "remove `reset`, or remove `nested`"
    }
    Poolable pool_without_guard: "#[pool(name = P)] struct S;" {
        "name" => "needs `guard` beside it"
    }
    Poolable guard_without_pool: "#[pool(guard = G)] struct S;" {
        "guard" => "needs `name` beside it"
    }
    Poolable pool_and_guard_of_one_name: "#[pool(name = P, guard = P)] struct S;" {
        "P" => "another type"
    }
    Poolable closures_for_expressions: "
        #[pool(create = |_| S, keep = |s, _| s.fit())] struct S;" {
        "|_| S" => "`config` is in scope"
        "|s, _| s.fit()" => "`self` and `config` are in scope"
    }
    Clear steps_that_do_not_clear: "
        #[pool(keep = true)]
        struct S { #[pool(create = 1)] a: u8, #[pool(nested)] b: u8 }" {
        "keep" => "`keep` belongs to `#[derive(Poolable)]`"
        "create" => "`create` belongs to `#[derive(Poolable)]`"
        "nested" => "derive `Clear` for the field's type too"
    }

    Poolable empty_attributes: "#[pool] struct S { #[pool()] a: u8, #[pool = 1] b: u8 }" {
        "#[pool]" => "says nothing"
        "#[pool()]" => "says nothing"
        "#[pool = 1]" => "in parentheses"
    }
    Poolable settings_without_a_value: "
        #[pool(create, keep)] #[pool(config =, reset = )] struct S;" {
        "create" => "needs a value: `create = "
        "keep" => "needs a value: `keep = "
        "config" => "needs a value: `config = "
        "reset" => "needs a value: `reset = default | skip | with(function)`"
    }
    Poolable unknown_settings: "
        struct S { #[pool(rest = skip)] a: u8, #[pool(size = 4)] b: u8, #[pool(3)] c: u8 }" {
        "rest" => "did you mean `reset`?"
        "size" => "there are `crate`, `name`, `guard`, `config`, `create`"
        "3" => "expected the name of a setting"
    }
    Poolable words_without_reset: "
        struct S { #[pool(skip)] a: u8, #[pool(with(f))] b: u8, #[pool(clear, default)] c: u8 }" {
        "skip" => "write `reset = skip`"
        "with" => "write `reset = with(function)`"
        "clear" => "fields are cleared unless something else is written"
        "default" => "write `reset = default`"
    }
    Poolable unknown_resets: "
        struct S {
            #[pool(reset = defualt)] a: u8,
            #[pool(reset = rewind)] b: u8,
            #[pool(reset = clear)] c: u8,
            #[pool(reset = Vec::clear)] d: u8,
            #[pool(reset = |e| e.clear())] e: u8,
            #[pool(reset = self.f.clear())] f: u8,
            #[pool(reset = 0)] g: u8,
        }" {
        "defualt" => "did you mean `default`?"
        "rewind" => "write `reset = with(rewind)`"
        "clear" => "remove `reset = clear`"
        "Vec::clear" => "`default`, `skip` or `with(function)`"
        "|e| e.clear()" => "`default`, `skip` or `with(function)`"
        "self.f.clear()" => "`default`, `skip` or `with(function)`"
        "0" => "`default`, `skip` or `with(function)`"
    }
    Poolable resets_with_arguments: "
        struct S {
            #[pool(reset = default())] a: u8,
            #[pool(reset = skip(true))] b: u8,
            #[pool(reset = with)] c: u8,
            #[pool(reset = with())] d: u8,
            #[pool(reset = with(f, 1))] e: u8,
        }" {
        "()" => "`default` takes no arguments"
        "(true)" => "`skip` takes no arguments"
        "with" => "needs the function"
        "()" => "needs the function"
        "1" => "takes one function"
    }
    Poolable quotes: r#"
        #[pool(crate = "my_bp", name = "P", guard = "G", config = "u8")]
        struct S { #[pool(reset = "skip")] a: u8, #[pool(reset = "with")] b: u8 }"# {
        "\"my_bp\"" => "no quotes: `crate = my_bp`"
        "\"P\"" => "no quotes: `name = P`"
        "\"G\"" => "no quotes: `guard = G`"
        "\"u8\"" => "no quotes: `config = u8`"
        "\"skip\"" => "no quotes: `reset = skip`"
        "\"with\"" => "no quotes: `reset = with(function)`"
    }
    Poolable pool_with_generics: "#[pool(name = P<T>, guard = G)] struct S<T>(T);" {
        "<" => "those of the type itself"
    }
    Poolable nested_config_in_parentheses: "struct S { #[pool(nested(config))] a: A }" {
        "(config)" => "`nested = &config.inner`"
    }
    Poolable values_in_parentheses: "
        #[pool(name(P), guard = G, config(u8), keep(self.a > 0))]
        struct S { #[pool(reset(skip))] a: u8, #[pool(reset(with(f)))] b: u8 }" {
        "(P)" => "did you mean `name = P`?"
        "(u8)" => "did you mean `config = u8`?"
        "(self.a > 0)" => "did you mean `keep = self.body.len() <= 64`?"
        "(skip)" => "did you mean `reset = skip`?"
        "(with(f))" => "did you mean `reset = default | skip | with(function)`?"
    }
    Poolable config_without_a_type: "
        struct S { #[pool(create = config.new_of(1))] a: A, #[pool(create = make(config))] b: B }" {
        "config" => "write that above the type: `#[pool(config = Limits)]`"
    }
    Poolable config_without_a_type_in_a_macro: "
        struct S { #[pool(create = vec![0; config.len])] a: A }" {
        "config" => "has no type"
    }
    Poolable config_without_a_type_in_a_closure: "
        struct S { #[pool(reset = with(|a| a.truncate(config.len)))] a: A }" {
        "config" => "has no type"
    }
    Poolable config_without_a_type_for_nested: "struct S { #[pool(nested = &config.a)] a: A }" {
        "config" => "has no type"
    }
    Poolable config_without_a_type_in_keep: "
        #[pool(keep = { let max = ..config.max; max.contains(&self.a) })] struct S { a: u8 }" {
        "config" => "has no type"
    }
    Poolable config_of_a_field: "
        struct S { #[pool(config = u8, create = make(config))] a: A }" {
        "config" => "shared by all fields"
    }
    Poolable second_of_a_kind: "
        #[pool(config = u8)] #[pool(config = u16)]
        struct S { #[pool(create = 1, create = 2)] a: u8 }" {
        "config" => "given twice"
        "create" => "given twice"
    }
    Poolable no_comma: "struct S { #[pool(create = 1 reset = skip)] a: u8 }" {
        "reset" => "expected `,`"
    }
    Poolable settings_after_a_slip_are_read: "
        struct S {
            #[pool(create = Vec::<A, B>::new(, 1), nested = &1, reset = skp)]
            a: u8,
        }" {
        "," => "expected"
        "skp" => "did you mean `skip`?"
        "nested" => "remove `create`"
        "reset" => "remove `reset`"
    }
    Poolable what_cannot_be_read_is_not_missed: "
        #[pool(create = 1 +, reset = clear, name = \"P\", guard = G)] enum State { Idle }" {
        "," => "expected"
        "clear" => "remove"
        "\"P\"" => "no quotes"
    }
}

/// After a mistake the type is still `Poolable`, and its pool is still there.
#[test]
fn stub_after_a_mistake() {
    let input: DeriveInput = syn::parse_quote! {
        #[pool(name = P, guard = G, config = Limits, crate = my_bp)]
        struct S<T: Copy> { #[pool(reset = skp)] a: T }
    };
    let mut file: syn::File = syn::parse2(derive(Derive::Poolable, &input)).unwrap();
    assert!(is_error(&file.items.remove(0)));
    expect_file!["snapshots/stub_after_a_mistake.rs"].assert_eq(&prettyplease::unparse(&file));
}

/// Whatever stands in an attribute, there is an answer, it is Rust, and a mistake has its place.
#[test]
fn any_tokens_get_an_answer() {
    const PIECES: [&str; 26] = [
        "create", "reset", "keep", "nested", "config", "crate", "name", "guard", "=", ",", "with",
        "(f)", "()", "default", "skip", "|x|", "1", "\"a\"", "'a", "::", "<", ">", "&", "self",
        "{ a, b }", "[..]",
    ];
    const ITEMS: [&str; 5] = [
        "#[pool(_)] struct S;",
        "struct S<'a, T, const N: usize>(#[pool(_)] &'a [T; N]);",
        "struct S { #[pool(_)] a: u8, #[pool(nested)] b: u8 }",
        "#[pool(reset = default)] #[pool(_)] enum E { A, #[pool(_)] B }",
        "union U { #[pool(_)] a: u8 }",
    ];
    // A fixed walk (xorshift): the same pieces in the same order on every run.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap() % n
    };
    let mut mistakes = 0;
    for _ in 0..4_000 {
        let tokens: Vec<&str> = (0..below(9)).map(|_| PIECES[below(PIECES.len())]).collect();
        let input = ITEMS[below(ITEMS.len())].replace('_', &tokens.join(" "));
        let Ok(parsed) = syn::parse_str::<DeriveInput>(&input) else { continue };
        for which in [Derive::Poolable, Derive::Clear] {
            let derived = derive(which, &parsed);
            let file = syn::parse2::<syn::File>(derived.clone());
            let file = file.unwrap_or_else(|error| panic!("{error}: {input}\n{derived}"));
            for (under, message) in reports(&input, &file) {
                assert!(!under.is_empty(), "{message:?} points at nothing in {input}");
                mistakes += 1;
            }
        }
    }
    assert!(mistakes > 1_000, "{mistakes}");
}

/// `self` and `config` of a `macro_rules!` expression are found at every depth; the rest of an
/// expression, spans and all, stays as it was.
#[test]
fn expressions_keep_their_places() {
    let input =
        "#[pool(config = C)] struct S { #[pool(create = make(|x| { x + config.a }))] a: u8 }";
    let parsed: DeriveInput = syn::parse_str(input).unwrap();
    let derived = derive(Derive::Poolable, &parsed);
    let mut places = Vec::new();
    flatten(derived, &mut |text, span| {
        if ["make", "x", "config", "a"].contains(&text) && span.start().column > 0 {
            let from = offset(input, span.start());
            places.push(input[from..from + text.len()].to_owned());
            assert_eq!(places.last().unwrap(), text);
        }
    });
    assert!(places.len() >= 6, "{places:?}");
}

/// An expression may have a `config` of its own, or a thing of that name; there is none to give a
/// type to.
#[test]
fn another_config_needs_no_type() {
    for expression in [
        "self.config.len",
        "config::load()",
        "crate::config",
        "Limits { config: 1 }",
        "self.config().len",
        "config(1)",
        "config!(1)",
        "list.iter().map(|config| config.len).sum()",
        "list.iter().fold(0, |sum, (_, config)| sum + config.len)",
        "{ let config = load(); config.len }",
        "{ let (config, _) = load(); config.len }",
        "{ if let Some(config) = load() { config.len } else { 0 } }",
        "{ for config in list { f(config) } }",
        "match load() { Some(config) => config.len, None => 0 }",
        "matches!(load(), Some(config) if config.len > 0)",
    ] {
        let expression = syn::parse_str(expression).unwrap();
        assert_eq!(config_use(&expression), None, "{}", quote::quote!(#expression));
    }
}

/// Also where the expression has patterns, and names other things `config`.
#[test]
fn the_config_of_the_step_is_found() {
    for expression in [
        "config",
        "*config",
        "config != 1",
        "self.a.len() < config.max || self.b",
        "self.a || config.b",
        "|a| a.truncate(config.len)",
        "0..config.len",
        "self.config.len + config.len",
        "{ let mut a = Vec::new(); a.reserve(config.len); a }",
        "format!(\"{}\", config.name)",
    ] {
        let expression = syn::parse_str(expression).unwrap();
        assert!(config_use(&expression).is_some(), "{}", quote::quote!(#expression));
    }
}

fn flatten(tokens: TokenStream, visit: &mut impl FnMut(&str, Span)) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(group) => flatten(group.stream(), visit),
            other => visit(&other.to_string(), other.span()),
        }
    }
}

/// The mistake of a step is shown at the step, whatever it is told with.
#[test]
fn all_of_a_mistake_is_placed_at_its_step() {
    let input: TokenStream =
        "reset ::core::compile_error! { concat!(\"a\", \"b\") }".parse().unwrap();
    let step = input.clone().into_iter().next().unwrap().span();
    let mut words = Vec::new();
    flatten(placed(input), &mut |text, span| {
        assert_eq!((span.start(), span.end()), (step.start(), step.end()), "{text}");
        words.push(text.to_owned());
    });
    assert_eq!(words.concat(), "::core::compile_error!concat!\"a\",\"b\"");
    assert!(placed(TokenStream::new()).is_empty());
}

#[test]
fn slips_of_the_keyboard_are_recognised() {
    let known = ["create", "reset", "keep", "nested"];
    for (word, meant) in [
        ("rest", Some("reset")),
        ("resett", Some("reset")),
        ("craete", Some("create")),
        ("kep", Some("keep")),
        ("nestd", Some("nested")),
        ("size", None),
        ("", None),
    ] {
        assert_eq!(nearest(word, known), meant, "{word}");
    }
}

/// Attributes of others are not read, also where they end in `pool`.
#[test]
fn stray_attributes_are_left_alone() {
    let parser = syn::Attribute::parse_outer;
    let attrs = parser.parse_str("#[doc = \"text\"] #[other::pool(nonsense)]").unwrap();
    let mut errors = crate::errors::Errors::default();
    crate::attr::Settings::from_attrs(&attrs, &mut errors);
    assert!(errors.into_tokens().is_none());
}
