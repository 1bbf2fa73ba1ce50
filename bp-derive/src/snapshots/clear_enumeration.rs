#[allow(deprecated, unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl my_bp::Clear for State {
        fn clear(&mut self) {
            my_bp::private::reset_with(self, |state| *state = State::Idle);
        }
    }
};
