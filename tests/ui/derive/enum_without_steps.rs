use bp::Poolable;

#[derive(Poolable)]
enum State {
    Idle,
    Busy,
}

fn main() {}
