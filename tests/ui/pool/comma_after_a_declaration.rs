struct Request;

bp::pool! {
    struct RequestPool(Request) -> RequestRef,
    struct OtherPool(Request) -> OtherRef;
}

fn main() {}
