//! `ImageConfig`: what the images of one pool share, and how one that comes back is put right.

use std::mem;

use image::metadata::{CicpColorPrimaries, CicpTransferCharacteristics};
use image::{ImageBuffer, Pixel};

use super::super::on_return::{OnReturn, Plain};
use crate::BuildError;

/// An image of the image crate that owns its samples.
type Owned<P> = ImageBuffer<P, Vec<<P as Pixel>::Subpixel>>;

/// What the images of a pool share; the config of every pool of the image crate's pixel types.
///
/// # Examples
///
/// ```
/// let pool = bp::ImageRgbaPool::new(8, 640, 480);
/// assert_eq!(pool.config().dimensions(), (640, 480));
/// ```
#[derive(Clone, Debug)]
pub struct ImageConfig {
    width: u32,
    height: u32,
    /// In one image. Meaningless where `bytes` overflowed; no pool is built then.
    samples: usize,
    /// In one image; `usize::MAX` where that overflows.
    bytes: usize,
    on_return: OnReturn,
    /// Whether an image that comes back gets these dimensions; not where each get sets them.
    restores: bool,
}

impl ImageConfig {
    pub(super) fn new<P: Pixel>(width: u32, height: u32) -> Self {
        let samples = samples::<P>((width, height));
        let bytes = samples.saturating_mul(size_of::<P::Subpixel>());
        ImageConfig { width, height, samples, bytes, on_return: OnReturn::Leave, restores: true }
    }

    /// Returns width and height of every image, in pixels.
    ///
    /// # Examples
    ///
    /// See [`ImageConfig`].
    pub fn dimensions(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    pub(super) fn set_on_return(&mut self, on_return: OnReturn) {
        self.on_return = on_return;
    }

    /// Lets images come back as large as they are, for a pool whose every get sets the
    /// dimensions. Filling the rest of each on return would cost as much as a new image.
    pub(super) fn leave_dimensions(&mut self) {
        self.restores = false;
    }

    pub(super) fn check(&self) -> Result<(), BuildError> {
        check_dimensions(self.width, self.height, self.bytes)
    }

    pub(super) fn create<P: Pixel>(&self) -> Owned<P> {
        ImageBuffer::new(self.width, self.height)
    }

    /// Whether the samples fit into the memory of this image, and fill most of it.
    #[inline]
    pub(super) fn is_fit<P: Pixel>(&self, image: &Owned<P>) -> bool {
        (self.samples..=self.samples + self.samples / 4).contains(&image.as_raw().capacity())
    }

    /// Wipes all samples of an image, if the pool is to.
    #[inline]
    pub(super) fn wipe<P: Pixel<Subpixel: Plain>>(&self, image: &mut Owned<P>) {
        if self.on_return != OnReturn::Leave {
            let dimensions = image.dimensions();
            rebuild(image, dimensions, |samples| self.on_return.treat(samples));
        }
    }

    /// Gives an image that comes back the pool's dimensions, and the colour space of a new one.
    #[inline]
    pub(super) fn restore<P: Pixel<Subpixel: Plain>>(&self, image: &mut Owned<P>) {
        image.set_rgb_primaries(CicpColorPrimaries::SRgb);
        image.set_transfer_function(CicpTransferCharacteristics::SRgb);
        self.wipe(image);
        if self.restores {
            fit(image, self.dimensions());
        }
    }
}

/// Samples in an image of these dimensions; saturates.
fn samples<P: Pixel>((width, height): (u32, u32)) -> usize {
    (width as usize).saturating_mul(height as usize).saturating_mul(usize::from(P::CHANNEL_COUNT))
}

/// Gives an image these dimensions, which its memory is known to suffice for, and no sample
/// beyond them. What it lacks is 0.
#[inline]
pub(super) fn fit<P: Pixel<Subpixel: Default>>(image: &mut Owned<P>, dimensions: (u32, u32)) {
    let samples = samples::<P>(dimensions);
    if image.dimensions() != dimensions || image.as_raw().len() != samples {
        rebuild(image, dimensions, |vec| vec.resize(samples, P::Subpixel::default()));
    }
}

/// Changes the `Vec` that holds the samples, which the image crate does not lend out.
#[cold]
fn rebuild<P: Pixel>(
    image: &mut Owned<P>,
    (width, height): (u32, u32),
    change: impl FnOnce(&mut Vec<P::Subpixel>),
) {
    let mut samples = mem::replace(image, ImageBuffer::new(0, 0)).into_raw();
    change(&mut samples);
    *image = ImageBuffer::from_raw(width, height, samples).expect("as many as it needs");
}

/// Pixels that the memory of an image has room for.
pub(super) fn room<P: Pixel>(image: &Owned<P>) -> usize {
    image.as_raw().capacity() / usize::from(P::CHANNEL_COUNT)
}

/// Bytes that the last user saw, and bytes held.
#[inline]
pub(super) fn measure<P: Pixel>(image: &Owned<P>) -> (usize, usize) {
    let samples = image.as_raw();
    (size_of_val(samples.as_slice()), samples.capacity() * size_of::<P::Subpixel>())
}

/// Refuses images without pixels, and those of which no buffer can be made.
pub(super) fn check_dimensions(width: u32, height: u32, bytes: usize) -> Result<(), BuildError> {
    if width == 0 {
        Err(BuildError::new("width", width, "at least 1"))
    } else if height == 0 {
        Err(BuildError::new("height", height, "at least 1"))
    } else if isize::try_from(bytes).is_err() {
        let dimensions = format_args!("{width}x{height}");
        Err(BuildError::new("size", dimensions, "at most isize::MAX bytes"))
    } else {
        Ok(())
    }
}

/// Emits what every pool that is configured by [`ImageConfig`] has beside its steps.
macro_rules! rect_and_wiping {
    ($Pool:ident) => {
        impl $Pool {
            /// Makes an empty pool of images as large as `rect`.
            ///
            /// Where the rectangle lies does not matter: these images begin at (0, 0).
            ///
            /// # Panics
            ///
            /// As `new` does.
            ///
            /// # Examples
            ///
            /// ```
            /// use bp::Rect;
            ///
            #[doc = concat!("let pool = bp::", stringify!($Pool), "::with_rect(4, Rect::new(10, 10, 18, 14));")]
            /// assert_eq!(pool.get().dimensions(), (8, 4));
            /// ```
            #[track_caller]
            pub fn with_rect(capacity: usize, rect: $crate::Rect) -> Self {
                Self::new(capacity, rect.width(), rect.height())
            }
        }

        impl $crate::Builder<$Pool> {
            /// Sets what becomes of the pixels of an image that is returned.
            ///
            /// By default they stay, and the next user sees them.
            ///
            /// # Examples
            ///
            /// See [`OnReturn`](crate::OnReturn).
            pub fn on_return(self, on_return: $crate::OnReturn) -> Self {
                self.configure(|config| config.set_on_return(on_return))
            }
        }
    };
}

pub(super) use rect_and_wiping;
