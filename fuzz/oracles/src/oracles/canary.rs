//! The canary: a planted find, which shows that finds are found.

use touchmove::Position;

use super::{Parting, Verdict};

/// The name under which it is told.
pub(super) const CANARY: &str = "canary";

/// Diverges for inputs that begin with `e2e4`, byte by byte: blind bytes do so once in 2^32.
pub fn canary(bytes: &[u8]) -> Verdict {
    if bytes.first() == Some(&b'e')
        && bytes.get(1) == Some(&b'2')
        && bytes.get(2) == Some(&b'e')
        && bytes.get(3) == Some(&b'4')
    {
        let [expected, got] =
            ["planted: the search gets here", "planted: it did"].map(String::from);
        return Parting { oracle: CANARY, expected, got }.of_text(Position::default(), "e2e4");
    }
    Verdict::Pass
}
