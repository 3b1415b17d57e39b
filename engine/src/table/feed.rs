//! From the table to one who watches: a bounded queue that never holds up the table.
//!
//! When the queue is full, the events that follow are counted and only how the game stands is kept, until the subscriber has
//! read what waited and the count. So a subscriber that reads on hears what it missed even if nothing happens any more.

use std::collections::VecDeque;
use std::sync::mpsc::{RecvError, TryRecvError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};

use super::event::{Event, News, Standing};

/// How many events wait for a subscriber; those that come then are missed. They take some 24 KiB.
pub const EVENTS_WAITING_MAX: usize = 32;

/// Events on their way from one table to one subscriber.
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    news: Condvar,
}

#[derive(Default)]
struct Waiting {
    events: VecDeque<Event>,
    /// What came behind them: how many events, and how the game stands.
    missed: Option<(u64, Standing)>,
    is_closed: bool,
}

impl Waiting {
    fn next(&mut self) -> Option<News> {
        let missed = |(events, now)| News::Missed { events, now };
        self.events.pop_front().map(News::Event).or_else(|| self.missed.take().map(missed))
    }
}

impl Queue {
    /// Held for a few instructions on plain values, by the table or by the subscriber: nothing there waits or panics.
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tell(&self, event: Event) {
        let mut waiting = self.lock();
        match waiting.missed {
            None if waiting.events.len() < EVENTS_WAITING_MAX => waiting.events.push_back(event),
            missed => {
                waiting.missed = Some((missed.map_or(0, |(events, _)| events) + 1, event.now))
            }
        }
        drop(waiting);
        self.news.notify_one();
    }

    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.news.notify_one();
    }
}

/// Somebody who watches a table: finds its events, each once and in order.
///
/// At most [`EVENTS_WAITING_MAX`] of them wait to be read; how many came too many is [`News::Missed`], with how the game
/// stands. As an iterator it waits for news and ends with the table. To stop, drop it.
pub struct Subscriber {
    joined: Standing,
    queue: Arc<Queue>,
}

impl Subscriber {
    /// And the table's end of the queue.
    pub(super) fn new(joined: Standing) -> (Subscriber, Weak<Queue>) {
        let queue = Arc::new(Queue { waiting: Mutex::default(), news: Condvar::new() });
        let told_by = Arc::downgrade(&queue);
        (Subscriber { joined, queue }, told_by)
    }

    /// How the game stood when this began to watch; the first event is the next one.
    pub const fn joined(&self) -> &Standing {
        &self.joined
    }

    /// The next news, if there are any now.
    ///
    /// # Errors
    ///
    /// As [`Receiver::try_recv`](std::sync::mpsc::Receiver::try_recv): when there are none, or everything has been read and the
    /// table is gone.
    pub fn try_recv(&mut self) -> Result<News, TryRecvError> {
        let mut waiting = self.queue.lock();
        match waiting.next() {
            Some(news) => Ok(news),
            None if waiting.is_closed => Err(TryRecvError::Disconnected),
            None => Err(TryRecvError::Empty),
        }
    }

    /// Waits for the next news.
    ///
    /// # Errors
    ///
    /// When everything has been read and the table is gone.
    pub fn recv(&mut self) -> Result<News, RecvError> {
        let mut waiting = self.queue.lock();
        loop {
            match waiting.next() {
                Some(news) => return Ok(news),
                None if waiting.is_closed => return Err(RecvError),
                None => {}
            }
            waiting = self.queue.news.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Iterator for Subscriber {
    type Item = News;

    fn next(&mut self) -> Option<News> {
        self.recv().ok()
    }
}
