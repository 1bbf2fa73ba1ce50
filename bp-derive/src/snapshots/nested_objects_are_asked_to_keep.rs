#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl ::bp::Poolable for Outer {
        type Config = ();
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            Self {
                one: <Inner as ::bp::private::Nested>::create_nested(),
                two: <Inner as ::bp::private::Nested>::create_nested(),
            }
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
            <Inner as ::bp::private::Nested>::reset_nested(&mut self.one);
            <Inner as ::bp::private::Nested>::reset_nested(&mut self.two);
        }
        fn keep(&self, config: &Self::Config) -> ::core::primitive::bool {
            let _ = config;
            <Inner as ::bp::private::Nested>::keep_nested(&self.one)
                && <Inner as ::bp::private::Nested>::keep_nested(&self.two)
        }
    }
};
