#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl ::bp::Poolable for Pair {
        type Config = ();
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            Self {
                0: <Vec<u8> as ::bp::private::FieldDefault>::field_default(),
                1: <u64 as ::bp::private::FieldDefault>::field_default(),
            }
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
            <Vec<u8> as ::bp::Clear>::clear(&mut self.0);
        }
    }
};
