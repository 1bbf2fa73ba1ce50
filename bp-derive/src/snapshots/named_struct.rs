#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl ::bp::Poolable for Frame {
        type Config = ();
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            Self {
                pixels: <Vec<u8> as ::bp::private::FieldDefault>::field_default(),
                width: <u32 as ::bp::private::FieldDefault>::field_default(),
            }
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
            <Vec<u8> as ::bp::Clear>::clear(&mut self.pixels);
            <u32 as ::bp::Clear>::clear(&mut self.width);
        }
    }
};
