#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl ::bp::Poolable for Request {
        type Config = Limits;
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            Self {
                body: Vec::with_capacity(config.body),
                id: <u64 as ::bp::private::FieldDefault>::field_default(),
                state: <State as ::bp::private::FieldDefault>::field_default(),
                cursor: open(config),
                tags: <Vec<Tag> as ::bp::private::FieldDefault>::field_default(),
                scratch: <Scratch as ::bp::private::Nested>::create_nested(),
                headers: <Headers as ::bp::Poolable>::create(&config.headers),
            }
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
            <Vec<u8> as ::bp::Clear>::clear(&mut self.body);
            self.state = <State as ::bp::private::FieldDefault>::field_default();
            ::bp::private::reset_with(&mut self.cursor, rewind);
            ::bp::private::reset_with(&mut self.tags, |tags| tags.truncate(config.tags));
            <Scratch as ::bp::private::Nested>::reset_nested(&mut self.scratch);
            <Headers as ::bp::Poolable>::reset(&mut self.headers, &config.headers);
        }
        fn keep(&self, config: &Self::Config) -> ::core::primitive::bool {
            let _ = config;
            <Scratch as ::bp::private::Nested>::keep_nested(&self.scratch)
                && <Headers as ::bp::Poolable>::keep(&self.headers, &config.headers)
        }
    }
};
