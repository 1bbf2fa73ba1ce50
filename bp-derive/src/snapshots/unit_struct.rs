#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl ::bp::Poolable for Unit {
        type Config = ();
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            Self {}
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
        }
    }
};
