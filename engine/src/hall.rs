//! Many tables, found by their numbers.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::vec::Vec;

use crate::table::Table;

/// Tables that are found under different locks: more than threads that look at once.
const SHARDS: u64 = 64;

/// The number of a table in its hall; never given twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId(u64);

impl TableId {
    /// The id with this number, as somebody wrote it down; perhaps of no table.
    pub const fn new(number: u64) -> TableId {
        TableId(number)
    }

    /// The number: 0, 1, 2, in the order in which tables were created.
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

type Shard = HashMap<TableId, Arc<Table>>;

/// Many tables at once, for any number of threads.
///
/// The hall is locked by parts, and only to find a table, never while something is done at it: games do not wait for each
/// other. A table that was removed lives on for those who still hold it.
///
/// ```
/// use std::time::Duration;
/// use touchmove::{Color, Game, Hall, Position, Table};
///
/// let hall = Hall::new();
/// let id = hall.create(Table::new(Game::new(Position::default())));
/// let table = hall.find(id).expect("it was not removed");
/// table.play(Color::White, "e2e4", Duration::ZERO)?;
/// assert_eq!(hall.remove(id).expect("nor was it now").legal_moves().len(), 20);
/// assert!(hall.find(id).is_none());
/// # Ok::<(), touchmove::TableRefusal>(())
/// ```
pub struct Hall {
    shards: Vec<RwLock<Shard>>,
    created: AtomicU64,
}

impl Hall {
    /// A hall without tables.
    pub fn new() -> Hall {
        let shards = (0..SHARDS).map(|_| RwLock::default()).collect();
        Hall { shards, created: AtomicU64::new(0) }
    }

    /// Puts a table into the hall, under an id of its own.
    pub fn create(&self, table: Table) -> TableId {
        let id = TableId(self.created.fetch_add(1, Ordering::Relaxed));
        let table = Arc::new(table);
        write(self.shard(id)).insert(id, table);
        id
    }

    /// The table with this id, if it is there.
    pub fn find(&self, id: TableId) -> Option<Arc<Table>> {
        read(self.shard(id)).get(&id).cloned()
    }

    /// Takes a table out of the hall. Of several who try, one has it.
    pub fn remove(&self, id: TableId) -> Option<Arc<Table>> {
        write(self.shard(id)).remove(&id)
    }

    /// How many tables there are; while others create and remove, how many were there at some time.
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| read(shard).len()).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids of all tables, in their order; while others create and remove, those that were found.
    pub fn ids(&self) -> Vec<TableId> {
        let in_shard = |shard| read(shard).keys().copied().collect::<Vec<_>>();
        let mut ids: Vec<TableId> = self.shards.iter().flat_map(in_shard).collect();
        ids.sort_unstable();
        ids
    }

    /// Tables that are created one after another are in different shards.
    fn shard(&self, id: TableId) -> &RwLock<Shard> {
        &self.shards[(id.0 % SHARDS) as usize]
    }
}

/// Nothing under these locks is ever half done, so a poisoned one is as good as any.
fn read(shard: &RwLock<Shard>) -> RwLockReadGuard<'_, Shard> {
    shard.read().unwrap_or_else(PoisonError::into_inner)
}

fn write(shard: &RwLock<Shard>) -> RwLockWriteGuard<'_, Shard> {
    shard.write().unwrap_or_else(PoisonError::into_inner)
}

impl Default for Hall {
    fn default() -> Hall {
        Hall::new()
    }
}

impl fmt::Debug for Hall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hall({} tables)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::time::Duration;

    use super::*;
    use crate::game::Game;
    use crate::piece::Color;
    use crate::position::Position;

    fn table() -> Table {
        Table::new(Game::new(Position::default()))
    }

    /// As long as somebody holds the lock of a table, all tables are found, it and those of its shard included, others are
    /// played at, and tables come and go.
    #[test]
    fn a_table_that_is_busy_holds_up_no_other() {
        let hall = Hall::new();
        let ids: Vec<TableId> = (0..3 * SHARDS).map(|_| hall.create(table())).collect();
        let busy = hall.find(ids[0]).unwrap();
        let (begins, ends) = (Barrier::new(2), Barrier::new(2));
        std::thread::scope(|threads| {
            threads.spawn(|| {
                busy.hold(|| {
                    begins.wait();
                    ends.wait();
                });
            });
            begins.wait();
            for &id in &ids[1..] {
                let table = hall.find(id).unwrap();
                table.play(Color::White, "e2e4", Duration::ZERO).unwrap();
            }
            let same_shard = TableId::new(SHARDS);
            assert!(hall.find(ids[0]).is_some() && hall.remove(same_shard).is_some());
            let created: Vec<TableId> = (0..SHARDS).map(|_| hall.create(table())).collect();
            assert_eq!((created.len() as u64, hall.len() as u64), (SHARDS, 4 * SHARDS - 1));
            assert!(Arc::ptr_eq(&hall.remove(ids[0]).unwrap(), &busy));
            ends.wait();
        });
        assert_eq!(busy.legal_moves().len(), 20);
    }
}
