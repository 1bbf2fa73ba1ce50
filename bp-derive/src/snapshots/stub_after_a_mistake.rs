#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl<T: Copy> my_bp::Poolable for S<T> {
        type Config = Limits;
        fn create(_: &Self::Config) -> Self {
            ::core::unreachable!()
        }
        fn reset(&mut self, _: &Self::Config) {}
    }
};
my_bp::__poolable_pool! {
    [#[doc = "A pool of [`S`]s."]] [] P G[S < T >] [Limits] [config] [T : Copy,] [T,] [S
    < T > : my_bp::Poolable < Config = Limits >,]
}
