//! A config that borrows is not outlived by its pool, nor by a guard of it.

struct Text(String);

struct Start<'a>(&'a str);

struct Borrowed<'a>(Text, std::marker::PhantomData<&'a str>);

impl<'a> bp::Poolable for Borrowed<'a> {
    type Config = Start<'a>;

    fn create(start: &Start<'a>) -> Self {
        Borrowed(Text(start.0.to_owned()), std::marker::PhantomData)
    }

    fn reset(&mut self, start: &Start<'a>) {
        self.0.0.replace_range(.., start.0);
    }
}

fn main() {
    let guard;
    {
        let start = String::from("start");
        let pool = bp::Pool::<Borrowed<'_>>::new(4, Start(&start));
        guard = pool.get();
    }
    assert_eq!(guard.0.0, "start");
}
