#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl my::bp::Poolable for Request {
        type Config = Limits;
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            Request::new(config)
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
            my::bp::private::reset_with(self, Request::rewind);
        }
        fn keep(&self, config: &Self::Config) -> ::core::primitive::bool {
            let _ = config;
            (self.size() < config.max || self.pinned)
                && <Scratch as my::bp::private::Nested>::keep_nested(&self.scratch)
        }
    }
};
my::bp::__poolable_pool! {
    [#[doc = "A pool of [`Request`]s."]] [pub (crate)] RequestPool RequestRef[Request]
    [Limits] [config] [] [] []
}
