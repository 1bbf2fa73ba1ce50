bp::pool! {
    pub struct GridPool(Vec<u32>) -> GridRef {
        config: (usize, usize),
        create: |&(width, height)| vec![0; width * height],
    }
}

bp::multi_pool! {
    pub struct MultiGridPool(GridPool) -> GridRef {
        size: |grid| grid.capacity(),
        fit: |grid, &(width, height)| grid.resize(width * height, 0),
    }
}

pub fn grids() {
    let _ = MultiGridPool::builder().classes_geometric(1, 10, 100, 2.0);
}

fn main() {}
