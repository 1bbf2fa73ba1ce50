//! Two routes: one takes a body and answers with it, one writes an answer of any length.

use std::io::Write;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bp::{BufferPool, BufferRef};
use http_body_util::BodyExt;

/// The largest body that is taken.
pub(crate) const LIMIT: usize = 1 << 20;

/// The most lines that are written.
pub(crate) const MOST_LINES: usize = 10_000;

/// Returns the service, with the pool of its bodies.
pub(crate) fn router(pool: BufferPool) -> Router {
    Router::new().route("/upper", post(upper)).route("/lines/{count}", get(lines)).with_state(pool)
}

/// Answers with what was sent, in capital letters.
async fn upper(State(pool): State<BufferPool>, body: Body) -> Result<Response, StatusCode> {
    let mut text = read(&pool, body).await?;
    text.make_ascii_uppercase();
    Ok(answer(text))
}

/// Answers with numbered lines.
async fn lines(
    State(pool): State<BufferPool>,
    Path(count): Path<usize>,
) -> Result<Response, StatusCode> {
    if count > MOST_LINES {
        return Err(StatusCode::BAD_REQUEST);
    }
    let mut text = pool.get();
    for number in 1..=count {
        writeln!(text, "line {number}").expect("a buffer takes all");
    }
    Ok(answer(text))
}

/// Reads a body into a pooled buffer. If the client hangs up, this future is dropped, and the
/// buffer goes back.
async fn read(pool: &BufferPool, mut body: Body) -> Result<BufferRef, StatusCode> {
    // What the client announces: refused before any of it is read.
    if body.size_hint().lower() > LIMIT as u64 {
        return Err(StatusCode::PAYLOAD_TOO_LARGE);
    }
    let mut buffer = pool.get();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| StatusCode::BAD_REQUEST)?;
        if let Some(piece) = frame.data_ref() {
            // What it sends: no more than the limit, whatever it announced.
            if piece.len() > LIMIT - buffer.len() {
                return Err(StatusCode::PAYLOAD_TOO_LARGE);
            }
            buffer.extend_from_slice(piece);
        }
    }
    Ok(buffer)
}

/// Hands a buffer to the server as it is; it goes back when the answer is written.
fn answer(buffer: BufferRef) -> Response {
    Body::from(buffer.into_bytes()).into_response()
}
