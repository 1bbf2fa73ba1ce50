use bp::Poolable;

#[derive(Poolable)]
union Word {
    signed: i64,
    unsigned: u64,
}

fn main() {}
