//! `Rect`: where an image lies in the plane of integer coordinates.

/// A rectangle of pixels: those from its minimum up to, not including, its maximum.
///
/// Matters where samples are shared by neighbouring pixels: which pixels share one depends on
/// where an image begins, not only on its size ([`YCbCrImage`](crate::YCbCrImage)).
///
/// # Examples
///
/// ```
/// use bp::Rect;
///
/// let rect = Rect::new(1, 1, 4, 3);
/// assert_eq!(rect.dimensions(), (3, 2));
/// assert!(rect.contains(3, 2) && !rect.contains(4, 2));
/// assert_eq!(Rect::from((640, 480)), Rect::new(0, 0, 640, 480));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    min_x: i32,
    min_y: i32,
    /// Sizes, not a maximum: every combination of values is a rectangle.
    width: u32,
    height: u32,
}

impl Rect {
    /// Makes the rectangle between two opposite corners.
    ///
    /// Which of the corners is which does not matter, so that no rectangle has a negative size.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// assert_eq!(Rect::new(4, 3, 1, 1), Rect::new(1, 1, 4, 3));
    /// ```
    pub const fn new(x0: i32, y0: i32, x1: i32, y1: i32) -> Self {
        Rect {
            min_x: if x0 < x1 { x0 } else { x1 },
            min_y: if y0 < y1 { y0 } else { y1 },
            width: x0.abs_diff(x1),
            height: y0.abs_diff(y1),
        }
    }

    /// Makes the rectangle of that size whose minimum is at (0, 0).
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// assert_eq!(Rect::with_size(4, 3), Rect::new(0, 0, 4, 3));
    /// ```
    pub const fn with_size(width: u32, height: u32) -> Self {
        Rect { min_x: 0, min_y: 0, width, height }
    }

    /// Returns the least x and y of a pixel.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// assert_eq!(Rect::new(4, 3, -1, 1).min(), (-1, 1));
    /// ```
    pub const fn min(self) -> (i32, i32) {
        (self.min_x, self.min_y)
    }

    /// Returns x and y one beyond the greatest of a pixel.
    ///
    /// Wider than coordinates are, since a rectangle may be as large as `u32::MAX` each way.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// assert_eq!(Rect::new(-1, 1, 4, 3).max(), (4, 3));
    /// ```
    pub const fn max(self) -> (i64, i64) {
        (self.min_x as i64 + self.width as i64, self.min_y as i64 + self.height as i64)
    }

    /// Returns how many pixels lie in a row.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// assert_eq!(Rect::new(-1, 1, 4, 3).width(), 5);
    /// ```
    pub const fn width(self) -> u32 {
        self.width
    }

    /// Returns how many rows there are.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// assert_eq!(Rect::new(-1, 1, 4, 3).height(), 2);
    /// ```
    pub const fn height(self) -> u32 {
        self.height
    }

    /// Returns width and height.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// assert_eq!(Rect::new(-1, 1, 4, 3).dimensions(), (5, 2));
    /// ```
    pub const fn dimensions(self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns whether there is no pixel.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// assert!(Rect::new(1, 1, 1, 9).is_empty());
    /// assert!(!Rect::new(1, 1, 2, 2).is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Returns whether the pixel at (x, y) lies in the rectangle.
    ///
    /// # Examples
    ///
    /// ```
    /// use bp::Rect;
    ///
    /// let rect = Rect::new(1, 1, 4, 3);
    /// assert!(rect.contains(1, 1) && rect.contains(3, 2));
    /// assert!(!rect.contains(4, 2)); // the maximum lies outside
    /// ```
    pub const fn contains(self, x: i32, y: i32) -> bool {
        let (max_x, max_y) = self.max();
        x >= self.min_x && y >= self.min_y && (x as i64) < max_x && (y as i64) < max_y
    }
}

/// The rectangle of that width and height whose minimum is at (0, 0).
impl From<(u32, u32)> for Rect {
    fn from((width, height): (u32, u32)) -> Self {
        Rect::with_size(width, height)
    }
}
