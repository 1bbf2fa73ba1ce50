#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl<'a, T: Copy, const N: usize> ::bp::Poolable for Batch<'a, T, N>
    where
        T: 'a,
        Vec<T>: ::core::default::Default,
        Vec<T>: ::bp::Clear,
        Inner<T>: ::bp::Poolable<Config = ()>,
    {
        type Config = Shape<T>;
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            Self {
                rows: <Vec<T> as ::bp::private::FieldDefault>::field_default(),
                shape: <Option<&'a str> as ::bp::private::FieldDefault>::field_default(),
                count: <usize as ::bp::private::FieldDefault>::field_default(),
                first: T::first(config),
                inner: <Inner<T> as ::bp::private::Nested>::create_nested(),
                other: <Other<T> as ::bp::Poolable>::create(config),
            }
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
            <Vec<T> as ::bp::Clear>::clear(&mut self.rows);
            <Option<&'a str> as ::bp::Clear>::clear(&mut self.shape);
            <usize as ::bp::Clear>::clear(&mut self.count);
            <Inner<T> as ::bp::private::Nested>::reset_nested(&mut self.inner);
            <Other<T> as ::bp::Poolable>::reset(&mut self.other, config);
        }
        fn keep(&self, config: &Self::Config) -> ::core::primitive::bool {
            let _ = config;
            <Inner<T> as ::bp::private::Nested>::keep_nested(&self.inner)
                && <Other<T> as ::bp::Poolable>::keep(&self.other, config)
        }
    }
};
::bp::__poolable_pool! {
    [#[doc = "A pool of [`Batch`]s."]] [pub] BatchPool BatchRef[Batch < 'a, T, N >]
    [Shape < T >] [config] ['a, T : Copy, const N : usize,] ['a, T, N,] [T : 'a, Batch <
    'a, T, N > : ::bp::Poolable < Config = Shape < T > >,]
}
