//! Pools of images: the image crate's buffers, premultiplied RGBA, and YCbCr as planes.
//!
//! The object is the type that an imaging crate's functions take, so that drawing, decoding and
//! encoding need no copy: [`image::RgbaImage`] and its kin for straight alpha and the other
//! pixel types, a type of their own each for what the image crate does not name
//! ([`RgbaPremulImage`], [`YCbCrImage`]). All images of a pool have the same dimensions; a pool
//! of [size classes](crate::MultiImageRgbaPool) serves any.
//!
//! Pixels are as the last user left them, unless the builder says otherwise: who draws all of them
//! needs none, and a memset of a 1080p image costs more than everything else that a pool does.
//! `decode` blanks them all the same, since a file may choose not to write some. What describes the
//! pixels (dimensions, colour space, strides) is put right on each return.

mod config;
mod decode;
mod multi;
mod multi_ycbcr;
mod pixels;
mod premul;
mod premul_image;
mod rect;
mod subsampling;
mod ycbcr;
mod ycbcr_image;
mod ycbcr_layout;

/// *Needs feature `image`.*
pub use self::{
    config::ImageConfig,
    decode::DecodeError,
    multi::{MultiImageRgbPool, MultiImageRgbaPool, MultiImageRgbaPremulPool},
    multi_ycbcr::{MultiImageYCbCrBuilder, MultiImageYCbCrPool},
    pixels::{
        ImageLuma16Pool, ImageLuma16Ref, ImageLumaA16Pool, ImageLumaA16Ref, ImageLumaAPool,
        ImageLumaARef, ImageLumaPool, ImageLumaRef, ImageRgb16Pool, ImageRgb16Ref, ImageRgb32FPool,
        ImageRgb32FRef, ImageRgbPool, ImageRgbRef, ImageRgba16Pool, ImageRgba16Ref,
        ImageRgba32FPool, ImageRgba32FRef, ImageRgbaPool, ImageRgbaRef,
    },
    premul::{ImageRgbaPremulPool, ImageRgbaPremulRef},
    premul_image::RgbaPremulImage,
    rect::Rect,
    subsampling::Subsampling,
    ycbcr::{ImageYCbCrPool, ImageYCbCrRef, YCbCrConfig},
    ycbcr_image::YCbCrImage,
};
