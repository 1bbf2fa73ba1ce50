#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl ::bp::Poolable for State {
        type Config = ();
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            State::Idle
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
            *self = <Self as ::core::default::Default>::default();
        }
    }
};
