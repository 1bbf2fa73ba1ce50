bp::pool! {
    /// Reusable text.
}

fn main() {}
