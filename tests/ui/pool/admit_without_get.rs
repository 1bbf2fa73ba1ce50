bp::pool! {
    pub struct LinePool(String) -> LineRef {
        create: |()| String::new(),
        admit: |number: &u64| assert!(*number > 0),
    }
}

fn main() {}
