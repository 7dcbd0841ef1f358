//! A regular grid of rectangular elements.

use crate::error::{Error, finite, positive};

/// Most elements along one side.
const MOST: usize = 4096;

/// nx × ny rectangles of sides Δx, Δy; element (i, j) has its centre at (x0 + iΔx, y0 + jΔy) and number i + j·nx.
/// One row (`ny = 1` from [`Grid::line`]) stands for plane strain: infinitely long elements, loads per length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    nx: usize,
    ny: usize,
    dx: f64,
    dy: f64,
    x0: f64,
    y0: f64,
    plane: bool,
}

impl Grid {
    /// A grid from the centre (x0, y0) of its first element, which has the smallest x and y.
    pub fn new(nx: usize, ny: usize, dx: f64, dy: f64, x0: f64, y0: f64) -> Result<Grid, Error> {
        if nx == 0 || ny == 0 || nx > MOST || ny > MOST {
            return Err(Error::GridSize { nx, ny });
        }
        positive("element length Δx", dx, "m")?;
        positive("element width Δy", dy, "m")?;
        finite("x of the first element", x0, "m")?;
        finite("y of the first element", y0, "m")?;
        Ok(Grid { nx, ny, dx, dy, x0, y0, plane: false })
    }

    /// nx × ny elements over [−half_x, half_x] × [−half_y, half_y].
    pub fn centred(nx: usize, ny: usize, half_x: f64, half_y: f64) -> Result<Grid, Error> {
        if nx == 0 || ny == 0 {
            return Err(Error::GridSize { nx, ny });
        }
        let (dx, dy) = (2.0 * half_x / nx as f64, 2.0 * half_y / ny as f64);
        Grid::new(nx, ny, dx, dy, -half_x + 0.5 * dx, -half_y + 0.5 * dy)
    }

    /// nx elements over [−half_x, half_x] in plane strain. Their width is 1, so that forces are per length.
    pub fn line(nx: usize, half_x: f64) -> Result<Grid, Error> {
        Ok(Grid { plane: true, ..Grid::centred(nx, 1, half_x, 0.5)? })
    }

    /// Elements along x.
    pub fn nx(&self) -> usize {
        self.nx
    }

    /// Elements along y.
    pub fn ny(&self) -> usize {
        self.ny
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.nx * self.ny
    }

    /// Never: a grid has elements.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Length of an element along x.
    pub fn dx(&self) -> f64 {
        self.dx
    }

    /// Length of an element along y; 1 in plane strain.
    pub fn dy(&self) -> f64 {
        self.dy
    }

    /// Area of an element.
    pub fn area(&self) -> f64 {
        self.dx * self.dy
    }

    /// Whether this is a line in plane strain.
    pub fn is_plane(&self) -> bool {
        self.plane
    }

    /// The SI unit of forces on it: in plane strain they are per length.
    pub(crate) fn force_unit(&self) -> &'static str {
        if self.plane { "N/m" } else { "N" }
    }

    /// Centre of column i.
    pub fn x(&self, i: usize) -> f64 {
        centre(self.x0, i, self.dx)
    }

    /// Centre of row j.
    pub fn y(&self, j: usize) -> f64 {
        centre(self.y0, j, self.dy)
    }

    /// Column and row of element k.
    pub fn at(&self, k: usize) -> (usize, usize) {
        (k % self.nx, k / self.nx)
    }

    /// nx × ny elements of it from column i0 and row j0 on.
    pub(crate) fn part(&self, i0: usize, j0: usize, nx: usize, ny: usize) -> Grid {
        Grid { nx, ny, x0: self.x(i0), y0: self.y(j0), ..*self }
    }

    /// Elements of twice the size over the same area (rounded up); a line stays a line.
    pub(crate) fn halved(&self) -> Grid {
        let mut grid = Grid { nx: self.nx.div_ceil(2), dx: 2.0 * self.dx, x0: self.x0 + 0.5 * self.dx, ..*self };
        if self.ny > 1 {
            grid = Grid { ny: self.ny.div_ceil(2), dy: 2.0 * self.dy, y0: self.y0 + 0.5 * self.dy, ..grid };
        }
        grid
    }
}

/// The centre of an element; one that is 0 but for rounding is 0.
fn centre(first: f64, number: usize, size: f64) -> f64 {
    let centre = first + number as f64 * size;
    if centre.abs() < 1e-9 * size { 0.0 } else { centre }
}
