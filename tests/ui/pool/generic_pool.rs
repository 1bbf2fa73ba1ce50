bp::pool! {
    struct ListPool<T>(Vec<T>) -> ListRef { create: |_| Vec::new() }
}

fn main() {}
