#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl<T> ::bp::Clear for Scratch<T>
    where
        Vec<T>: ::bp::Clear,
    {
        fn clear(&mut self) {
            <Vec<T> as ::bp::Clear>::clear(&mut self.items);
            self.mode = <Mode as ::bp::private::FieldDefault>::field_default();
            ::bp::private::reset_with(&mut self.queue, VecDeque::clear);
        }
    }
};
