//! A web service whose bodies, in and out, lie in pooled buffers.
//!
//! ```text
//! cargo run --release --example http [address]
//! curl -d 'loud words' http://127.0.0.1:8080/upper
//! ```
//!
//! The service is in `service.rs`.

use std::{env, error, io};

use bp::BufferPool;
use tokio::net::TcpListener;

mod service;

#[tokio::main]
async fn main() -> Result<(), Box<dyn error::Error>> {
    let address = env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    // Bodies are small as a rule and may be large: what large ones leave goes after a while.
    let pool = BufferPool::builder(256, 4096).retain_by_use().build()?;
    let listener = TcpListener::bind(&address).await.map_err(|error| {
        io::Error::new(error.kind(), format!("cannot listen at {address}: {error}"))
    })?;
    println!("listening at http://{}", listener.local_addr()?);
    axum::serve(listener, service::router(pool)).await?;
    Ok(())
}
