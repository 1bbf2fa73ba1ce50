//! `#[derive(Poolable)]` and `#[derive(Clear)]`: every setting on every kind of type, in pools.

use std::collections::VecDeque;
use std::marker::PhantomData;

use bp::{Clear, Pool, Poolable};

/// What a pool is for: the same allocation again, blank.
#[test]
fn object_comes_back_blank_in_the_same_memory() {
    #[derive(Poolable)]
    struct Request {
        path: String,
        body: Vec<u8>,
        retries: u32,
    }

    let pool = Pool::<Request>::new(4, ());
    let mut request = pool.get();
    request.path.push_str("/secret");
    request.body.extend_from_slice(b"secret");
    request.retries = 3;
    let (object, path, body) = (&raw const *request, request.path.as_ptr(), request.body.as_ptr());
    drop(request);

    let request = pool.get();
    assert_eq!(&raw const *request, object);
    assert_eq!((request.path.as_ptr(), request.body.as_ptr()), (path, body));
    assert_eq!((request.path.as_str(), request.body.as_slice(), request.retries), ("", &[][..], 0));
    assert_eq!((pool.stats().hits, pool.stats().misses), (1, 1));
}

/// What one request leaves behind is what the next one sees, once a reset forgets a field. No
/// field is left out here: one that survives has the word for it on itself.
#[test]
fn case_18_reset_covers_every_field_unless_skipping_is_written_down() {
    #[derive(Clear, Default)]
    struct Session {
        user: Option<String>,
        tokens: Vec<u64>,
    }
    #[derive(Poolable)]
    struct Request {
        path: String,
        headers: Vec<(String, String)>,
        extensions: VecDeque<u8>,
        session: Session,
        position: (u32, u32),
        buffer: [u8; 64],
        keep_alive: bool,
        #[pool(reset = skip)]
        connection: u64,
    }

    let pool = Pool::<Request>::new(1, ());
    for user in 0..3 {
        let mut request = pool.get();
        assert_eq!(request.path, "");
        assert!(request.headers.is_empty() && request.extensions.is_empty());
        assert!(request.session.user.is_none() && request.session.tokens.is_empty());
        assert_eq!(request.position, (0, 0));
        assert_eq!(request.buffer, [0; 64]);
        assert!(!request.keep_alive);
        assert_eq!(request.connection, user, "skipped: survives");

        "/account".clone_into(&mut request.path);
        request.headers.push(("cookie".to_owned(), "1234".to_owned()));
        request.extensions.push_back(1);
        request.session.user = Some("root".to_owned());
        request.session.tokens.push(1);
        request.position = (1, 2);
        request.buffer.fill(0xAA);
        request.keep_alive = true;
        request.connection += 1;
    }
    assert_eq!(pool.stats().misses, 1);
}

mod fields {
    use super::*;

    struct Limits {
        body: usize,
        tags: usize,
    }

    /// Neither `Clear` nor, on purpose, zero by default.
    #[derive(Debug, PartialEq)]
    struct State(u8);

    impl Default for State {
        fn default() -> Self {
            State(7)
        }
    }

    #[derive(Poolable)]
    #[pool(config = Limits)]
    struct Request {
        #[pool(create = Vec::with_capacity(config.body))]
        body: Vec<u8>,
        #[pool(reset = default)]
        state: State,
        #[pool(reset = default)]
        states: [State; 40],
        #[pool(create = State(1), reset = with(rewind))]
        cursor: State,
        #[pool(reset = with(|tags| tags.truncate(config.tags)))]
        tags: Vec<u8>,
        #[pool(reset = with(|sum| *sum = self.tags.len()))]
        sum: usize,
    }

    fn rewind(cursor: &mut State) {
        cursor.0 -= 1;
    }

    #[test]
    fn each_has_its_own_steps() {
        let pool = Pool::<Request>::new(1, Limits { body: 100, tags: 2 });
        let mut request = pool.get();
        assert!(request.body.capacity() >= 100);
        assert_eq!((&request.state, &request.cursor, request.sum), (&State(7), &State(1), 0));
        assert!(request.states.iter().all(|state| *state == State(7)));
        request.body.push(1);
        request.state = State(0);
        request.states[39] = State(0);
        request.cursor = State(9);
        request.tags.extend([1, 2, 3]);
        drop(request);

        let request = pool.get();
        assert!(request.body.is_empty() && request.body.capacity() >= 100);
        assert_eq!((&request.state, &request.cursor), (&State(7), &State(8)));
        assert_eq!(request.states[39], State(7));
        assert_eq!((request.tags.as_slice(), request.sum), (&[1, 2][..], 2));
        assert_eq!(pool.stats().hits, 1);
    }
}

mod shapes {
    use super::*;

    #[test]
    fn unit_struct() {
        #[derive(Poolable)]
        struct Token;

        let pool = Pool::<Token>::new(2, ());
        drop((pool.get(), pool.get(), pool.get()));
        assert_eq!(pool.len(), 2);
    }

    #[test]
    fn tuple_struct() {
        #[derive(Poolable)]
        #[pool(config = usize)]
        struct Pair(
            #[pool(create = String::with_capacity(*config))] String,
            #[pool(reset = skip)] u64,
        );

        let pool = Pool::<Pair>::new(1, 32);
        let mut pair = pool.get();
        assert!(pair.0.capacity() >= 32);
        pair.0.push('x');
        pair.1 = 5;
        drop(pair);
        let pair = pool.get();
        assert_eq!((pair.0.as_str(), pair.1), ("", 5));
    }

    #[test]
    fn enums_reset_as_a_whole() {
        #[derive(Poolable, Default, Debug, PartialEq)]
        #[pool(create = State::Fresh, reset = default)]
        enum State {
            Fresh,
            #[default]
            Idle,
            Busy(Vec<u8>),
        }

        let pool = Pool::<State>::new(1, ());
        let mut state = pool.get();
        assert_eq!(*state, State::Fresh);
        *state = State::Busy(vec![1]);
        drop(state);
        assert_eq!(*pool.get(), State::Idle);
    }

    #[test]
    fn enums_may_keep_their_memory() {
        #[derive(Poolable)]
        #[pool(create = Body::Text(String::new()), reset = with(Body::blank))]
        enum Body {
            Text(String),
            Bytes(Vec<u8>),
        }

        impl Body {
            fn blank(&mut self) {
                match self {
                    Body::Text(text) => text.clear(),
                    Body::Bytes(bytes) => bytes.clear(),
                }
            }
        }

        let pool = Pool::<Body>::new(1, ());
        let bytes = vec![1, 2, 3];
        let place = bytes.as_ptr();
        *pool.get() = Body::Bytes(bytes);
        match &*pool.get() {
            Body::Bytes(bytes) => assert_eq!((bytes.as_ptr(), bytes.len()), (place, 0)),
            Body::Text(_) => panic!("another object"),
        }
    }

    #[test]
    fn structs_may_have_steps_as_a_whole() {
        #[derive(Poolable)]
        #[pool(config = usize, create = Self::sized(*config))]
        #[pool(reset = with(|block| block.bytes.fill(0)))]
        struct Block {
            bytes: Box<[u8]>,
        }

        impl Block {
            fn sized(len: usize) -> Self {
                Block { bytes: vec![0; len].into() }
            }
        }

        let pool = Pool::<Block>::new(1, 3);
        pool.get().bytes.fill(1);
        assert_eq!(*pool.get().bytes, [0, 0, 0]);
    }
}

mod keeping {
    use super::*;

    #[derive(Poolable)]
    #[pool(config = usize, keep = self.0.capacity() <= *config || self.0.is_empty())]
    struct Buffer(Vec<u8>);

    #[derive(Poolable)]
    #[pool(keep = !self.broken)]
    struct Connection {
        broken: bool,
        #[pool(nested = &4)]
        buffer: Buffer,
        #[pool(nested)]
        scratch: Scratch,
    }

    #[derive(Poolable)]
    #[pool(keep = self.0 < 10)]
    struct Scratch(u8);

    #[test]
    fn object_is_judged_before_it_is_reset() {
        let pool = Pool::<Buffer>::new(1, 16);
        pool.get().0.resize(100, 0);
        assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
        pool.get().0.reserve_exact(8);
        assert_eq!(pool.len(), 1);
    }

    #[test]
    fn nested_objects_are_asked_too() {
        let pool = Pool::<Connection>::new(1, ());
        pool.get().broken = true;
        pool.get().buffer.0 = vec![0; 100];
        pool.get().scratch.0 = 11;
        assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 3));
        pool.get().scratch.0 = 9;
        assert_eq!((pool.len(), pool.get().scratch.0), (1, 0));
    }
}

mod nesting {
    use super::*;

    struct Limits {
        line: usize,
    }

    #[derive(Poolable)]
    #[pool(config = usize)]
    struct Line(#[pool(create = Vec::with_capacity(*config))] Vec<u8>);

    #[derive(Poolable)]
    #[pool(config = Limits)]
    struct Parser<L: Poolable<Config = usize>> {
        #[pool(nested = &config.line)]
        line: L,
        #[pool(nested)]
        stack: Stack,
    }

    #[derive(Poolable)]
    struct Stack {
        frames: Vec<u8>,
        #[pool(reset = skip)]
        peak: usize,
    }

    #[test]
    fn objects_take_their_steps_and_config_along() {
        let pool = Pool::<Parser<Line>>::new(1, Limits { line: 80 });
        let mut parser = pool.get();
        assert!(parser.line.0.capacity() >= 80);
        parser.line.0.push(1);
        parser.stack.frames.push(1);
        parser.stack.peak = 1;
        drop(parser);
        let parser = pool.get();
        assert!(parser.line.0.is_empty() && parser.stack.frames.is_empty());
        assert_eq!(parser.stack.peak, 1);
    }
}

mod generics {
    use super::*;

    #[derive(Poolable)]
    #[pool(name = BatchPool, guard = BatchRef, config = usize)]
    pub(super) struct Batch<T: Copy = u8, const N: usize = 2>
    where
        T: PartialEq,
    {
        #[pool(create = Vec::with_capacity(*config))]
        rows: Vec<T>,
        last: Option<T>,
        block: [u16; N],
        #[pool(reset = default)]
        fresh: [Option<T>; 3],
        sealed: Sealed<T>,
    }

    /// Less visible than the pool, and in the where clause of the impl.
    #[derive(Clear)]
    struct Sealed<T>(Vec<T>);

    impl<T> Default for Sealed<T> {
        fn default() -> Self {
            Sealed(Vec::new())
        }
    }

    #[derive(Poolable)]
    struct Plain<T>(T, PhantomData<T>);

    #[derive(Poolable)]
    #[pool(name = ViewPool, guard = ViewRef)]
    struct View<'a, 'b: 'a> {
        words: Vec<&'a str>,
        first: Option<&'b str>,
    }

    #[test]
    fn typed_pool_takes_the_parameters_of_the_type() {
        let pool: BatchPool<char, 4> = BatchPool::new(2, 10);
        let mut batch: BatchRef<char, 4> = pool.get();
        assert!(batch.rows.capacity() >= 10);
        batch.rows.push('a');
        batch.last = Some('a');
        batch.block = [9; 4];
        batch.fresh[0] = Some('a');
        batch.sealed.0.push('a');
        let place = batch.rows.as_ptr();
        drop(batch);

        let batch = pool.get();
        assert_eq!((batch.rows.as_ptr(), batch.rows.len()), (place, 0));
        assert_eq!((batch.last, batch.block, batch.fresh[0]), (None, [0; 4], None));
        assert!(batch.sealed.0.is_empty());
        assert_eq!(pool.stats().hits, 1);
    }

    #[test]
    fn plain_field_of_a_type_parameter() {
        let pool = Pool::<Plain<String>>::new(1, ());
        pool.get().0.push('x');
        assert_eq!(pool.get().0, "");
    }

    #[test]
    fn lifetimes_of_what_is_borrowed() {
        let text = "one two".to_owned();
        let pool = ViewPool::new(1);
        let mut view = pool.get();
        view.words.extend(text.split(' '));
        view.first = Some("first");
        drop(view);
        let view: ViewRef<'_, '_> = pool.get();
        assert!(view.words.is_empty() && view.first.is_none());
    }

    pub(super) trait Limited<T> {
        type Limit;
    }

    #[derive(Poolable)]
    #[pool(name = SelfishPool, guard = SelfishRef, config = <Self as Limited<[T; 1]>>::Limit)]
    pub(super) struct Selfish<T: PartialEq<Self>>
    where
        Vec<Self>: Extend<Self>,
    {
        #[pool(create = Vec::with_capacity(*config))]
        rows: Vec<T>,
    }

    impl<T: PartialEq<Self>> Limited<[T; 1]> for Selfish<T> {
        type Limit = usize;
    }

    impl PartialEq<Selfish<u8>> for u8 {
        fn eq(&self, selfish: &Selfish<u8>) -> bool {
            selfish.rows == [*self]
        }
    }

    /// `Self` is the type also where the pool and the guard repeat what it says.
    #[test]
    fn the_type_calls_itself() {
        let pool = SelfishPool::new(1, 10);
        let mut selfish: SelfishRef<u8> = pool.get();
        assert!(selfish.rows.capacity() >= 10);
        selfish.rows.push(7);
        assert!(7 == *selfish);
    }

    /// A function that is generic over the item needs nothing but the bounds of the type.
    #[test]
    fn typed_pool_in_a_generic_function() {
        fn fill<T: Copy + PartialEq>(pool: &BatchPool<T, 1>, row: T) -> usize {
            let mut batch = pool.get();
            batch.rows.push(row);
            batch.rows.len()
        }

        let pool = BatchPool::new(1, 1);
        assert_eq!((fill(&pool, 1), fill(&pool, 2)), (1, 1));
    }
}

mod macros {
    use super::*;

    /// Two expressions meet in one type: the macro's own, and one of its caller.
    macro_rules! buffer {
        ($name:ident, $keep:expr) => {
            #[derive(Poolable)]
            #[pool(config = usize, keep = self.0.len() > 1 && $keep)]
            struct $name(#[pool(create = Vec::with_capacity(*config))] Vec<u8>);
        };
    }

    buffer!(Buffer, self.0.len() < *config);

    #[test]
    fn config_and_self_are_found_inside_a_macro() {
        let pool = Pool::<Buffer>::new(1, 4);
        for (len, kept) in [(1, 0), (3, 1), (4, 0)] {
            pool.get().0.resize(len, 0);
            assert_eq!(pool.len(), kept, "{len}");
        }
    }

    /// A macro of a crate that uses `bp` names it by its own way.
    mod facade {
        pub(super) use bp as pools;
    }

    #[test]
    fn crate_is_a_path() {
        #[derive(facade::pools::Poolable)]
        #[pool(crate = facade::pools, name = TextPool, guard = TextRef)]
        struct Text {
            text: String,
        }

        let pool = TextPool::new(1);
        pool.get().text.push('x');
        let text: TextRef = pool.get();
        assert_eq!(text.text, "");
    }
}

/// The names that an expansion could stumble over, all taken by something else.
#[no_implicit_prelude]
#[allow(dead_code, non_camel_case_types)]
mod hygiene {
    struct Clear;
    struct Default;
    struct FnOnce;
    struct Option;
    struct Poolable;
    struct bool;
    mod bp {}
    mod core {}
    mod diagnostic {}
    mod std {}

    #[derive(::bp::Poolable)]
    #[pool(name = ItemPool, guard = ItemRef, config = ::core::primitive::usize)]
    #[pool(keep = self.config < *config)]
    struct Item<T> {
        list: ::std::vec::Vec<T>,
        config: ::core::primitive::usize,
        block: [::core::primitive::u8; 64],
        #[pool(reset = default)]
        pair: ::core::option::Option<T>,
        #[pool(nested)]
        inner: Inner,
    }

    #[derive(::bp::Poolable, ::bp::Clear)]
    struct Inner(#[pool(reset = with(|count| *count = 0))] ::core::primitive::u8);

    #[::core::prelude::v1::test]
    fn names_in_scope_are_not_touched() {
        let pool: ItemPool<Inner> = ItemPool::new(1, 2);
        for (config, kept) in [(1, 1), (2, 0)] {
            let mut item: ItemRef<Inner> = pool.get();
            item.list.push(Inner(1));
            item.config = config;
            ::core::mem::drop(item);
            ::core::assert_eq!(pool.len(), kept);
        }
    }
}

#[test]
fn clear_alone_keeps_memory() {
    #[derive(Clear)]
    struct Rows<'a, T> {
        names: Vec<&'a str>,
        values: [Vec<T>; 2],
        #[pool(reset = skip)]
        id: u8,
    }
    #[derive(Clear)]
    #[pool(reset = with(|flag| *flag = Flag::Off))]
    enum Flag {
        Off,
        On,
    }

    let mut rows = Rows { names: vec!["a"], values: [vec![1], vec![]], id: 3 };
    let place = rows.values[0].as_ptr();
    rows.clear();
    assert_eq!((rows.names.len(), rows.values[0].len(), rows.id), (0, 0, 3));
    assert_eq!(rows.values[0].as_ptr(), place);

    let mut flag = Flag::On;
    flag.clear();
    assert!(matches!(flag, Flag::Off));
}
