use bp::Poolable;

#[derive(Poolable)]
#[pool(create = State::Idle, reset = with(|state| *state = State::Idle))]
enum State {
    Idle,
    #[pool(reset = skip)]
    Busy,
}

fn main() {}
