#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl<T, const N: usize> ::bp::Poolable for Blocks<T, N>
    where
        T: ::core::default::Default,
        [[T; 4]; N]: ::bp::Clear,
        Option<T>: ::core::default::Default,
    {
        type Config = ();
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            Self {
                plain: ::core::array::from_fn(|_| <u8 as ::bp::private::FieldDefault>::field_default()),
                matrix: ::core::array::from_fn(|_| ::core::array::from_fn(|_| <T as ::bp::private::FieldDefault>::field_default())),
                fresh: ::core::array::from_fn(|_| <Option<
                    T,
                > as ::bp::private::FieldDefault>::field_default()),
            }
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
            <[u8; 4096] as ::bp::Clear>::clear(&mut self.plain);
            <[[T; 4]; N] as ::bp::Clear>::clear(&mut self.matrix);
            self.fresh = ::core::array::from_fn(|_| <Option<
                T,
            > as ::bp::private::FieldDefault>::field_default());
        }
    }
};
