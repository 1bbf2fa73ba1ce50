//! `RgbaPremulImage`: RGBA with the colours multiplied by alpha, and exact ways to and from
//! straight alpha.

use std::fmt::{self, Debug};

use image::RgbaImage;

/// An RGBA image whose colours are multiplied by alpha, 8 bits each.
///
/// What most rasterisers draw into (tiny-skia, Cairo, Skia), and what Go calls `RGBA`: half
/// transparent red is `[128, 0, 0, 128]`, where straight alpha says `[255, 0, 0, 128]`. The
/// memory looks like an [`RgbaImage`]'s, so it is a type of its own, and there is no way between
/// the two but a conversion.
///
/// # Examples
///
/// ```
/// use bp::RgbaPremulImage;
/// use image::{Rgba, RgbaImage};
///
/// let straight = RgbaImage::from_pixel(2, 1, Rgba([255, 0, 0, 128]));
/// let premul = RgbaPremulImage::from_straight(&straight);
/// assert_eq!(premul.as_raw(), [128, 0, 0, 128, 128, 0, 0, 128]);
/// assert_eq!(premul.to_straight(), straight);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RgbaPremulImage {
    /// Serves as a buffer of four channels; its pixels mean something else here, so it is not
    /// lent out.
    pub(super) buffer: RgbaImage,
}

impl RgbaPremulImage {
    /// Makes a transparent image.
    ///
    /// # Panics
    ///
    /// Panics if the image has more than `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::RgbaPremulImage;
    ///
    /// let image = RgbaPremulImage::new(2, 1);
    /// assert_eq!(image.as_raw(), [0; 8]);
    /// ```
    pub fn new(width: u32, height: u32) -> Self {
        RgbaPremulImage { buffer: RgbaImage::new(width, height) }
    }

    /// Makes an image of premultiplied pixels, row after row; `None` if their number does not
    /// match.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::RgbaPremulImage;
    ///
    /// assert!(RgbaPremulImage::from_raw(1, 1, vec![128, 0, 0, 128]).is_some());
    /// assert!(RgbaPremulImage::from_raw(1, 1, vec![0; 8]).is_none());
    /// ```
    pub fn from_raw(width: u32, height: u32, pixels: Vec<u8>) -> Option<Self> {
        RgbaImage::from_raw(width, height, pixels)
            .filter(|buffer| buffer.as_raw().len() == bytes(buffer))
            .map(|buffer| RgbaPremulImage { buffer })
    }

    /// Makes a premultiplied image from one with straight alpha.
    ///
    /// Each colour becomes `colour * alpha / 255`, rounded to the nearest. Where alpha is below
    /// 255 several colours become one: the way back is not exact.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::RgbaPremulImage;
    /// use image::{Rgba, RgbaImage};
    ///
    /// let straight = RgbaImage::from_pixel(1, 1, Rgba([255, 0, 0, 128]));
    /// assert_eq!(RgbaPremulImage::from_straight(&straight).as_raw(), [128, 0, 0, 128]);
    /// ```
    pub fn from_straight(image: &RgbaImage) -> Self {
        let mut premul = RgbaPremulImage::new(image.width(), image.height());
        premul.copy_from_straight(image);
        premul
    }

    /// Makes an image with straight alpha from this one.
    ///
    /// Each colour becomes `colour * 255 / alpha`, rounded to the nearest, and 0 where alpha is 0.
    /// [`from_straight`](Self::from_straight) brings back exactly what was here. A colour above
    /// alpha, which no premultiplied pixel has, becomes 255.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::RgbaPremulImage;
    ///
    /// let premul = RgbaPremulImage::from_raw(1, 1, vec![128, 0, 0, 128]).unwrap();
    /// assert_eq!(premul.to_straight().get_pixel(0, 0).0, [255, 0, 0, 128]);
    /// ```
    pub fn to_straight(&self) -> RgbaImage {
        let (width, height) = self.dimensions();
        let mut straight = RgbaImage::new(width, height);
        self.copy_to_straight(&mut straight);
        straight
    }

    /// Overwrites this image with one that has straight alpha, as
    /// [`from_straight`](Self::from_straight) converts it.
    ///
    /// # Panics
    ///
    /// Panics if the dimensions differ.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::RgbaPremulImage;
    /// use image::{Rgba, RgbaImage};
    ///
    /// let mut canvas = RgbaPremulImage::new(1, 1);
    /// canvas.copy_from_straight(&RgbaImage::from_pixel(1, 1, Rgba([0, 255, 0, 51])));
    /// assert_eq!(canvas.as_raw(), [0, 51, 0, 51]);
    /// ```
    pub fn copy_from_straight(&mut self, image: &RgbaImage) {
        assert_eq!(self.dimensions(), image.dimensions(), "images of different dimensions");
        convert(image, &mut self.buffer, |color, alpha| {
            ((u32::from(color) * u32::from(alpha) + 127) / 255).min(255) as u8
        });
    }

    /// Overwrites an image that has straight alpha with this one, as
    /// [`to_straight`](Self::to_straight) converts it.
    ///
    /// # Panics
    ///
    /// Panics if the dimensions differ.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::RgbaPremulImage;
    /// use image::RgbaImage;
    ///
    /// let canvas = RgbaPremulImage::from_raw(1, 1, vec![0, 51, 0, 51]).unwrap();
    /// let mut frame = RgbaImage::new(1, 1);
    /// canvas.copy_to_straight(&mut frame);
    /// assert_eq!(frame.get_pixel(0, 0).0, [0, 255, 0, 51]);
    /// ```
    pub fn copy_to_straight(&self, image: &mut RgbaImage) {
        assert_eq!(self.dimensions(), image.dimensions(), "images of different dimensions");
        convert(&self.buffer, image, |color, alpha| match u32::from(alpha) {
            0 => 0,
            alpha => ((u32::from(color) * 255 + alpha / 2) / alpha).min(255) as u8,
        });
    }

    /// Returns width and height, in pixels.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(bp::RgbaPremulImage::new(20, 10).dimensions(), (20, 10));
    /// ```
    pub fn dimensions(&self) -> (u32, u32) {
        self.buffer.dimensions()
    }

    /// Returns the width, in pixels.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(bp::RgbaPremulImage::new(20, 10).width(), 20);
    /// ```
    pub fn width(&self) -> u32 {
        self.buffer.width()
    }

    /// Returns the height, in pixels.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(bp::RgbaPremulImage::new(20, 10).height(), 10);
    /// ```
    pub fn height(&self) -> u32 {
        self.buffer.height()
    }

    /// Returns the pixels, four bytes each, row after row without gaps.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(bp::RgbaPremulImage::new(20, 10).as_raw().len(), 4 * 20 * 10);
    /// ```
    pub fn as_raw(&self) -> &[u8] {
        &self.buffer
    }

    /// Returns the pixels, for drawing; four bytes each, row after row without gaps.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut canvas = bp::RgbaPremulImage::new(2, 1);
    /// canvas.as_raw_mut()[4..].copy_from_slice(&[128, 0, 0, 128]);
    /// assert_eq!(canvas.to_straight().get_pixel(1, 0).0, [255, 0, 0, 128]);
    /// ```
    pub fn as_raw_mut(&mut self) -> &mut [u8] {
        &mut self.buffer
    }

    /// Returns the memory of the image, which holds its pixels.
    ///
    /// # Examples
    ///
    /// ```
    /// let canvas = bp::RgbaPremulImage::new(2, 1);
    /// assert_eq!(canvas.into_raw(), [0; 8]);
    /// ```
    pub fn into_raw(self) -> Vec<u8> {
        self.buffer.into_raw()
    }
}

impl Default for RgbaPremulImage {
    /// Makes an image without pixels.
    fn default() -> Self {
        RgbaPremulImage::new(0, 0)
    }
}

impl Debug for RgbaPremulImage {
    /// Tells the dimensions, not millions of bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RgbaPremulImage")
            .field("width", &self.width())
            .field("height", &self.height())
            .finish_non_exhaustive()
    }
}

/// Bytes that the dimensions ask for; the buffer has no fewer.
fn bytes(buffer: &RgbaImage) -> usize {
    4 * buffer.width() as usize * buffer.height() as usize
}

/// Converts the colours of each pixel, given its alpha, which stays.
fn convert(from: &[u8], to: &mut [u8], color: impl Fn(u8, u8) -> u8) {
    let (from, to) = (from.as_chunks::<4>().0, to.as_chunks_mut::<4>().0);
    for (&[r, g, b, alpha], to) in from.iter().zip(to) {
        *to = [color(r, alpha), color(g, alpha), color(b, alpha), alpha];
    }
}
