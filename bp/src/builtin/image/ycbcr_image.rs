//! `YCbCrImage`: luma and two colours as planes of bytes.

use std::fmt::{self, Debug};

use super::rect::Rect;
use super::subsampling::Subsampling;
use super::ycbcr_layout::{YCbCrLayout, chroma_dimensions};

/// An image as video and JPEG store it: a plane of luma, and two of colour, which neighbouring
/// pixels may share.
///
/// The planes are plain slices, as every codec and converter takes them, each with its stride:
/// the bytes from one row to the next. They lie in one block of memory, Y, Cb, Cr.
///
/// # Where an image begins
///
/// An image covers a [`Rect`], usually from (0, 0). The sizes of its planes are those of Go's
/// `image.YCbCr` for every rectangle and ratio: coordinates are divided, rounding toward zero,
/// and pixels with the same quotients share a sample. From (0, 0) that is half the width, rounded
/// up, and so on; code that knows widths and heights only is right there, and wherever the
/// minimum is a multiple of the factors. An image that begins at an odd pixel has one sample more.
///
/// # Examples
///
/// ```
/// use bp::{Rect, Subsampling, YCbCrImage};
///
/// let mut image = YCbCrImage::new(5, 3, Subsampling::S420);
/// assert_eq!((image.y().len(), image.cb().len(), image.cr().len()), (15, 6, 6));
/// assert_eq!((image.y_stride(), image.c_stride()), (5, 3));
///
/// image.y_mut().fill(16);
/// let (_y, cb, cr) = image.planes_mut();
/// cb.fill(128);
/// cr.fill(128);
///
/// let odd = YCbCrImage::with_rect(Rect::new(1, 1, 3, 3), Subsampling::S420);
/// assert_eq!(odd.as_raw().len(), 12);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct YCbCrImage {
    pub(super) layout: YCbCrLayout,
    /// The planes, one behind the other; `layout.len()` bytes.
    pub(super) data: Vec<u8>,
}

impl YCbCrImage {
    /// Makes an image that begins at (0, 0), all of whose samples are 0.
    ///
    /// # Panics
    ///
    /// Panics if the image has more than `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.as_raw(), [0; 5 * 3 + 2 * (3 * 2)]);
    /// ```
    pub fn new(width: u32, height: u32, subsampling: Subsampling) -> Self {
        Self::with_rect(Rect::with_size(width, height), subsampling)
    }

    /// Makes an image that covers `rect`, all of whose samples are 0.
    ///
    /// # Panics
    ///
    /// Panics if the image has more than `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Rect, Subsampling, YCbCrImage};
    ///
    /// // Begins at an odd pixel: two colour samples each way, for two pixels.
    /// let image = YCbCrImage::with_rect(Rect::new(1, 1, 3, 3), Subsampling::S420);
    /// assert_eq!(image.chroma_dimensions(), (2, 2));
    /// ```
    pub fn with_rect(rect: Rect, subsampling: Subsampling) -> Self {
        Self::with_layout(YCbCrLayout::tight(rect, subsampling))
    }

    pub(super) fn with_layout(layout: YCbCrLayout) -> Self {
        YCbCrImage { layout, data: vec![0; layout.len()] }
    }

    /// Lays the planes out anew in the memory that there is, where it suffices. What it lacks is
    /// 0; the samples in it do not move.
    #[inline]
    pub(super) fn lay_out(&mut self, layout: YCbCrLayout) {
        if self.layout != layout {
            self.layout = layout;
            self.data.resize(layout.len(), 0);
        }
    }

    /// Returns the luma of the pixels, row after row.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.y().len(), 5 * 3);
    /// ```
    pub fn y(&self) -> &[u8] {
        self.planes().0
    }

    /// Returns the blue colour difference, row after row.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.cb().len(), 3 * 2); // a sample for two by two pixels
    /// ```
    pub fn cb(&self) -> &[u8] {
        self.planes().1
    }

    /// Returns the red colour difference, row after row.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.cr().len(), 3 * 2); // a sample for two by two pixels
    /// ```
    pub fn cr(&self) -> &[u8] {
        self.planes().2
    }

    /// Returns the luma of the pixels, for writing.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let mut image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// image.y_mut().fill(16);
    /// assert_eq!(image.as_raw()[..15], [16; 15]);
    /// ```
    pub fn y_mut(&mut self) -> &mut [u8] {
        self.planes_mut().0
    }

    /// Returns the blue colour difference, for writing.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let mut image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// image.cb_mut().fill(128);
    /// assert_eq!(image.as_raw()[15..21], [128; 6]);
    /// ```
    pub fn cb_mut(&mut self) -> &mut [u8] {
        self.planes_mut().1
    }

    /// Returns the red colour difference, for writing.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let mut image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// image.cr_mut().fill(128);
    /// assert_eq!(image.as_raw()[21..], [128; 6]);
    /// ```
    pub fn cr_mut(&mut self) -> &mut [u8] {
        self.planes_mut().2
    }

    /// Returns all planes: Y, Cb, Cr.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// let (y, cb, cr) = image.planes();
    /// assert_eq!((y.len(), cb.len(), cr.len()), (15, 6, 6));
    /// ```
    pub fn planes(&self) -> (&[u8], &[u8], &[u8]) {
        let (y, colors) = self.data.split_at(self.layout.y_len);
        let (cb, cr) = colors.split_at(self.layout.c_len);
        (y, cb, cr)
    }

    /// Returns all planes, for writing them together: Y, Cb, Cr.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let mut image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// let (y, cb, cr) = image.planes_mut();
    /// y.fill(16);
    /// cb.fill(128);
    /// cr.fill(128);
    /// assert_eq!(image.y_offset(4, 2).map(|at| image.y()[at]), Some(16));
    /// ```
    pub fn planes_mut(&mut self) -> (&mut [u8], &mut [u8], &mut [u8]) {
        let (y, colors) = self.data.split_at_mut(self.layout.y_len);
        let (cb, cr) = colors.split_at_mut(self.layout.c_len);
        (y, cb, cr)
    }

    /// Returns the bytes from one row of the Y plane to the next.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{ImageYCbCrPool, Subsampling};
    ///
    /// let pool = ImageYCbCrPool::builder(8, 100, 50, Subsampling::S420).strides(128, 64).build()?;
    /// assert_eq!(pool.get().y_stride(), 128);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn y_stride(&self) -> usize {
        self.layout.y_stride
    }

    /// Returns the bytes from one row of a colour plane to the next.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{ImageYCbCrPool, Subsampling};
    ///
    /// let pool = ImageYCbCrPool::builder(8, 100, 50, Subsampling::S420).strides(128, 64).build()?;
    /// assert_eq!(pool.get().c_stride(), 64);
    /// # Ok::<(), bp::BuildError>(())
    /// ```
    pub fn c_stride(&self) -> usize {
        self.layout.c_stride
    }

    /// Returns width and height, in pixels.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.dimensions(), (5, 3));
    /// ```
    pub fn dimensions(&self) -> (u32, u32) {
        self.layout.rect.dimensions()
    }

    /// Returns the width of a colour plane in samples, and its height in rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.chroma_dimensions(), (3, 2)); // rounded up
    /// ```
    pub fn chroma_dimensions(&self) -> (usize, usize) {
        chroma_dimensions(self.layout.rect, self.layout.subsampling)
    }

    /// Returns how many pixels share a colour sample.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.subsampling(), Subsampling::S420);
    /// ```
    pub fn subsampling(&self) -> Subsampling {
        self.layout.subsampling
    }

    /// Returns which pixels the image covers.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Rect, Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.rect(), Rect::new(0, 0, 5, 3));
    /// ```
    pub fn rect(&self) -> Rect {
        self.layout.rect
    }

    /// Returns the index in [`y`](Self::y) of the pixel at (x, y), or `None` outside of
    /// [`rect`](Self::rect).
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Rect, Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::with_rect(Rect::new(1, 1, 4, 4), Subsampling::S420);
    /// assert_eq!(image.y_offset(2, 3), Some(7));
    /// assert_eq!(image.c_offset(2, 3), Some(3));
    /// assert_eq!(image.y_offset(0, 0), None);
    /// ```
    pub fn y_offset(&self, x: i32, y: i32) -> Option<usize> {
        self.layout.y_offset(x, y)
    }

    /// Returns the index in [`cb`](Self::cb) and [`cr`](Self::cr) of the sample for the pixel at
    /// (x, y), or `None` outside of [`rect`](Self::rect).
    ///
    /// Where a rectangle ends at zero or just below, Go's sizes are one sample short; its last
    /// pixels share the last sample that there is. If there is none at all, as for the rectangle
    /// (-1,-1)-(0,0), the index is `None`.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.c_offset(2, 0), Some(1));
    /// assert_eq!(image.c_offset(3, 1), Some(1)); // shares the sample
    /// assert_eq!(image.c_offset(5, 0), None);
    /// ```
    pub fn c_offset(&self, x: i32, y: i32) -> Option<usize> {
        self.layout.c_offset(x, y)
    }

    /// Returns the memory of all planes: Y, Cb, Cr, one behind the other.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// let (y, cb, cr) = image.planes();
    /// assert_eq!(image.as_raw(), [y, cb, cr].concat());
    /// ```
    pub fn as_raw(&self) -> &[u8] {
        &self.data
    }

    /// Returns the memory of all planes, for writing.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let mut image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// image.as_raw_mut().copy_from_slice(&[7; 27]); // all planes at once, as a file has them
    /// assert_eq!(image.cr(), [7; 6]);
    /// ```
    pub fn as_raw_mut(&mut self) -> &mut [u8] {
        &mut self.data
    }

    /// Returns the memory of the image, which holds its planes.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::{Subsampling, YCbCrImage};
    ///
    /// let image = YCbCrImage::new(5, 3, Subsampling::S420);
    /// assert_eq!(image.into_raw().len(), 15 + 6 + 6);
    /// ```
    pub fn into_raw(self) -> Vec<u8> {
        self.data
    }
}

impl Debug for YCbCrImage {
    /// Tells the layout, not millions of bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("YCbCrImage")
            .field("rect", &self.rect())
            .field("subsampling", &self.subsampling())
            .field("y_stride", &self.y_stride())
            .field("c_stride", &self.c_stride())
            .finish_non_exhaustive()
    }
}
