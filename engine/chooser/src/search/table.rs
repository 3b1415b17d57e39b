//! What is known of positions that were searched before.

use touchmove::{Key, Move};

use crate::score::Score;

/// What a score in the table says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is known of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) key: Key,
    /// The best move, or one that was good enough.
    pub(super) mv: Option<Move>,
    /// The score, with the distance of a mate counted from this position.
    pub(super) score: Score,
    /// How deep it was searched.
    pub(super) depth: u16,
    pub(super) bound: Bound,
}

/// Two places for the positions that share an index: one keeps what was searched deeply in this search, the
/// other what came last.
#[derive(Clone, Copy, Default, Debug)]
struct Bucket {
    deep: Option<Entry>,
    deep_since: u32,
    last: Option<Entry>,
}

/// A table of fixed size. Keys are compared in full.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    search: u32,
}

impl Table {
    /// A table that takes so many MiB, at least one.
    pub(super) fn with_mib(mib: usize) -> Table {
        let bytes = mib.max(1).saturating_mul(1 << 20);
        Table { buckets: vec![Bucket::default(); bytes / size_of::<Bucket>()], search: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
        self.search = 0;
    }

    /// What was kept for its depth before this is no longer protected.
    pub(super) fn begin_search(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    pub(super) fn get(&self, key: Key) -> Option<Entry> {
        let bucket = &self.buckets[self.index(key)];
        [bucket.deep, bucket.last].into_iter().flatten().find(|entry| entry.key == key)
    }

    pub(super) fn put(&mut self, entry: Entry) {
        let index = self.index(entry.key);
        let search = self.search;
        let bucket = &mut self.buckets[index];
        let deeper = bucket.deep.filter(|deep| {
            bucket.deep_since == search && deep.key != entry.key && deep.depth > entry.depth
        });
        match deeper {
            Some(_) => bucket.last = Some(entry),
            None => {
                bucket.deep = Some(entry);
                bucket.deep_since = search;
            }
        }
    }

    /// The high bits of the product spread keys evenly over any number of buckets.
    fn index(&self, key: Key) -> usize {
        ((u128::from(key.0) * self.buckets.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, depth: u16) -> Entry {
        Entry { key: Key(key), mv: None, score: Score::DRAW, depth, bound: Bound::Exact }
    }

    #[test]
    fn a_table_keeps_within_its_memory() {
        assert_eq!(size_of::<Option<Entry>>(), 24);
        let table = Table::with_mib(3);
        let bytes = table.buckets.len() * size_of::<Bucket>();
        assert!((3 << 20) - size_of::<Bucket>() < bytes && bytes <= 3 << 20, "{bytes}");
        assert!(!Table::with_mib(0).buckets.is_empty());
    }

    /// All these keys share one bucket.
    #[test]
    fn what_is_deep_stays_and_what_came_last_is_found() {
        let mut table = Table::with_mib(1);
        table.put(entry(1, 9));
        table.put(entry(2, 3));
        table.put(entry(3, 4));
        assert_eq!(table.get(Key(1)), Some(entry(1, 9)));
        assert_eq!(table.get(Key(2)), None);
        assert_eq!(table.get(Key(3)), Some(entry(3, 4)));
        table.begin_search();
        table.put(entry(4, 1));
        assert_eq!(table.get(Key(1)), None);
        assert_eq!(table.get(Key(4)), Some(entry(4, 1)));
        table.clear();
        assert_eq!(table.get(Key(4)), None);
    }
}
