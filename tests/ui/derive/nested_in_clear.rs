use bp::Clear;

#[derive(Clear)]
struct Headers {
    #[pool(nested)]
    names: Vec<String>,
}

fn main() {}
