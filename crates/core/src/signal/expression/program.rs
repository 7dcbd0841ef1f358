//! Formulas as flat lists of operations on a small stack.

/// One operation; those with operands take them from the top of the stack and leave their result there.
#[derive(Clone, Copy)]
enum Operation {
    Number(f64),
    Time,
    /// A variable of a formula that is not one of time.
    Variable(usize),
    Negate,
    Square,
    Add,
    Subtract,
    Multiply,
    Divide,
    Call(fn(f64) -> f64, Corner),
    Combine(fn(f64, f64) -> f64, Corner),
}

/// Where a function has corners or jumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Corner {
    /// Nowhere.
    None,
    /// Where its argument changes sign.
    Sign,
    /// Where its value changes: it is constant in between.
    Value,
    /// Where the whole part of its argument changes.
    Whole,
    /// Where the greater of its two arguments changes.
    Order,
    /// Where the whole part of the quotient of its two arguments changes.
    Quotient,
    /// Where the first argument changes sign while the second is negative.
    Cut,
}

impl Corner {
    /// The number of the piece on which a function of one argument is smooth.
    fn piece(self, x: f64, value: f64) -> i64 {
        match self {
            // Zero belongs to what follows: a piece of one instant would be a step of no length.
            Corner::Sign => i64::from(x < 0.0),
            Corner::Value => value as i64,
            Corner::Whole => x.trunc() as i64,
            _ => 0,
        }
    }

    /// The same for two arguments.
    fn piece_of_two(self, a: f64, b: f64) -> i64 {
        match self {
            Corner::Order => i64::from(a < b),
            Corner::Quotient => (a / b).floor() as i64,
            Corner::Cut => i64::from(b < 0.0 && a < 0.0),
            _ => 0,
        }
    }
}

/// Library functions are right to this share of their value, and mostly to a quarter of it.
const ROUNDING: f64 = 2.0 * f64::EPSILON;

impl Corner {
    /// Value and error of a function of one argument with an error.
    fn of_one(self, function: fn(f64) -> f64, x: f64, error: f64) -> (f64, f64) {
        let value = function(x);
        let passed = match self {
            Corner::None if error > 0.0 => spread(value, [function(x - error), function(x + error)]),
            Corner::Value => 0.0,
            _ => error,
        };
        (value, passed + ROUNDING * value.abs())
    }

    /// The same for two arguments.
    fn of_two(self, function: fn(f64, f64) -> f64, a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
        let ((a, of_a), (b, of_b)) = (a, b);
        let value = function(a, b);
        let passed = match self {
            Corner::Order => of_a.max(of_b),
            Corner::Quotient => of_a + (a / b).floor().abs() * of_b + f64::EPSILON * b.abs(),
            // Around the origin, not across the cut.
            Corner::Cut => (of_a * b.abs() + of_b * a.abs()) / (a * a + b * b),
            _ if of_a > 0.0 || of_b > 0.0 => {
                spread(value, [function(a - of_a, b), function(a + of_a, b)])
                    + spread(value, [function(a, b - of_b), function(a, b + of_b)])
            }
            _ => 0.0,
        };
        (value, passed + ROUNDING * value.abs())
    }
}

/// How far the values are from one between them; those without a value, at the end of a domain, do not count.
fn spread(value: f64, values: [f64; 2]) -> f64 {
    values.iter().map(|other| (other - value).abs()).filter(|far| !far.is_nan()).fold(0.0, f64::max)
}

/// x^y; without a value where x or y have none, also as 1^y and x^0.
fn power(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { x.powf(y) }
}

/// An operation between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// A formula, ready to be evaluated.
#[derive(Clone, Default)]
pub(super) struct Program {
    operations: Vec<Operation>,
    /// Values on the stack so far, and the most there ever are.
    height: usize,
    highest: usize,
}

/// Values that the stack of an ordinary formula holds; clearing a larger one would cost more than most formulas do.
const ORDINARY: usize = 8;

/// Values that the stack of any formula holds.
const MOST: usize = 128;

impl Program {
    /// Whether the stack suffices.
    pub(super) fn fits(&self) -> bool {
        self.highest <= MOST
    }

    pub(super) fn number(&mut self, value: f64) {
        self.push(Operation::Number(value));
    }

    pub(super) fn time(&mut self) {
        self.push(Operation::Time);
    }

    pub(super) fn variable(&mut self, number: usize) {
        self.push(Operation::Variable(number));
    }

    pub(super) fn negate(&mut self) {
        match self.operations.last_mut() {
            Some(Operation::Number(value)) => *value = -*value,
            _ => self.operations.push(Operation::Negate),
        }
    }

    /// Replaces the topmost value by a function of it.
    pub(super) fn call(&mut self, function: fn(f64) -> f64, corner: Corner) {
        match self.operations.last_mut() {
            // What has no value is kept: another function must not hide it.
            Some(Operation::Number(value)) if value.is_finite() && function(*value).is_finite() => {
                *value = function(*value);
            }
            _ => self.operations.push(Operation::Call(function, corner)),
        }
    }

    /// Replaces the two topmost values by a function of them.
    pub(super) fn combine(&mut self, function: fn(f64, f64) -> f64, corner: Corner) {
        self.join(Operation::Combine(function, corner), function);
    }

    /// Replaces the two topmost values by their sum, product and so on.
    pub(super) fn operate(&mut self, operator: Operator) {
        match operator {
            Operator::Add => self.join(Operation::Add, |a, b| a + b),
            Operator::Subtract => self.join(Operation::Subtract, |a, b| a - b),
            Operator::Multiply => self.join(Operation::Multiply, |a, b| a * b),
            Operator::Divide => self.join(Operation::Divide, |a, b| a / b),
            // The commonest power, correctly rounded and many times faster than the general one.
            Operator::Power if matches!(self.operations.last(), Some(Operation::Number(2.0))) => {
                self.pop();
                match self.operations.last_mut() {
                    Some(Operation::Number(value)) => *value *= *value,
                    _ => self.operations.push(Operation::Square),
                }
            }
            Operator::Power => self.combine(power, Corner::None),
        }
    }

    fn push(&mut self, operation: Operation) {
        self.operations.push(operation);
        self.height += 1;
        self.highest = self.highest.max(self.height);
    }

    /// Takes back a number that was pushed last.
    fn pop(&mut self) {
        self.operations.pop();
        self.height -= 1;
    }

    /// Appends an operation between two values, or its result where both are numbers already and have one.
    fn join(&mut self, operation: Operation, function: fn(f64, f64) -> f64) {
        if let [.., Operation::Number(a), Operation::Number(b)] = self.operations[..]
            && [a, b, function(a, b)].iter().all(|value| value.is_finite())
        {
            self.pop();
            self.pop();
            self.number(function(a, b));
        } else {
            self.operations.push(operation);
            self.height -= 1;
        }
    }

    /// Value at `t`.
    pub(super) fn at(&self, t: f64) -> f64 {
        self.look(t, |_| {})
    }

    /// Value of a formula of named variables; NaN where a part of it has no finite value, even if it does not show at the end: 1/(1/0).
    pub(super) fn of(&self, variables: &[f64]) -> f64 {
        let finite = |x: f64| if x.is_finite() { x } else { f64::NAN };
        if self.highest <= ORDINARY {
            self.evaluate::<ORDINARY>(0.0, variables, |_| {}, finite)
        } else {
            self.evaluate::<MOST>(0.0, variables, |_| {}, finite)
        }
    }

    /// Value at `t` and the piece of the formula that holds there: between two instants of one piece it is smooth.
    pub(super) fn piece(&self, t: f64) -> (f64, u64) {
        // FNV-1a over the pieces of all functions.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let value = self.look(t, |piece| hash = (hash ^ piece as u64).wrapping_mul(0x0100_0000_01b3));
        (value, hash)
    }

    /// Value at `t` and a bound of what rounding has done to it, carried through operation by operation. Where a function has
    /// corners or jumps the error is that of the piece at hand: a jump is no rounding.
    pub(super) fn with_error(&self, t: f64) -> (f64, f64) {
        if self.highest <= ORDINARY { self.bound_error::<ORDINARY>(t) } else { self.bound_error::<MOST>(t) }
    }

    fn bound_error<const N: usize>(&self, t: f64) -> (f64, f64) {
        let mut below = [(0.0, 0.0); N];
        let mut height = 0;
        let (mut x, mut error) = (0.0_f64, 0.0_f64);
        for operation in &self.operations {
            match *operation {
                Operation::Number(_) | Operation::Time | Operation::Variable(_) => {
                    below[height] = (x, error);
                    height += 1;
                    // A formula of time has no other variable.
                    x = if let Operation::Number(value) = *operation { value } else { t };
                    error = 0.0;
                }
                Operation::Negate => x = -x,
                Operation::Square => {
                    error *= 2.0 * x.abs() + error;
                    x *= x;
                    error += f64::EPSILON * x;
                }
                Operation::Call(function, corner) => (x, error) = corner.of_one(function, x, error),
                Operation::Add | Operation::Subtract | Operation::Multiply | Operation::Divide => {
                    height -= 1;
                    let (a, of_a) = below[height];
                    let (value, passed) = match operation {
                        Operation::Add => (a + x, of_a + error),
                        Operation::Subtract => (a - x, of_a + error),
                        Operation::Multiply => (a * x, of_a * x.abs() + error * (a.abs() + of_a)),
                        _ => (a / x, (of_a + error * (a / x).abs()) / x.abs()),
                    };
                    (x, error) = (value, passed + f64::EPSILON * value.abs());
                }
                Operation::Combine(function, corner) => {
                    height -= 1;
                    (x, error) = corner.of_two(function, below[height], (x, error));
                }
            }
        }
        (x, error)
    }

    #[inline]
    fn look(&self, t: f64, note: impl FnMut(i64)) -> f64 {
        if self.highest <= ORDINARY {
            self.evaluate::<ORDINARY>(t, &[], note, |x| x)
        } else {
            self.evaluate::<MOST>(t, &[], note, |x| x)
        }
    }

    /// The topmost value is kept apart, in `x`; `below` is as high as the stack under it. `kept` is what each operation leaves of its value.
    #[inline]
    fn evaluate<const N: usize>(
        &self,
        t: f64,
        variables: &[f64],
        mut note: impl FnMut(i64),
        kept: impl Fn(f64) -> f64,
    ) -> f64 {
        let mut below = [0.0; N];
        let mut height = 0;
        let mut x = 0.0;
        for operation in &self.operations {
            match *operation {
                Operation::Number(_) | Operation::Time | Operation::Variable(_) => {
                    below[height] = x;
                    height += 1;
                    x = match *operation {
                        Operation::Number(value) => value,
                        Operation::Variable(number) => variables.get(number).copied().unwrap_or(f64::NAN),
                        _ => t,
                    };
                }
                Operation::Negate => x = -x,
                Operation::Square => x *= x,
                Operation::Call(function, corner) => {
                    let value = function(x);
                    if corner != Corner::None {
                        note(corner.piece(x, value));
                    }
                    x = value;
                }
                Operation::Add | Operation::Subtract | Operation::Multiply | Operation::Divide => {
                    height -= 1;
                    let a = below[height];
                    x = match operation {
                        Operation::Add => a + x,
                        Operation::Subtract => a - x,
                        Operation::Multiply => a * x,
                        _ => a / x,
                    };
                }
                Operation::Combine(function, corner) => {
                    height -= 1;
                    if corner != Corner::None {
                        note(corner.piece_of_two(below[height], x));
                    }
                    x = function(below[height], x);
                }
            }
            x = kept(x);
        }
        x
    }
}
