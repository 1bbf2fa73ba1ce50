#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl ::bp::Poolable for r#Text {
        type Config = ();
        fn create(config: &Self::Config) -> Self {
            let _ = config;
            Self {
                text: <String as ::bp::private::FieldDefault>::field_default(),
            }
        }
        fn reset(&mut self, config: &Self::Config) {
            let _ = config;
            <String as ::bp::Clear>::clear(&mut self.text);
        }
    }
};
::bp::__poolable_pool! {
    [#[doc = "A pool of [`Text`]s."]] [pub] TextPool TextRef[r#Text] [()] [unit] [] [] []
}
