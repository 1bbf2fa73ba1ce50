use bp::Clear;

#[derive(Clear)]
struct Headers {
    #[pool(create = Vec::with_capacity(8))]
    names: Vec<String>,
}

fn main() {}
