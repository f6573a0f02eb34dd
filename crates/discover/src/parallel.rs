//! The same answer on one processor or many.

use std::cell::OnceCell;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Fewer items than this are not worth a thread.
const ITEMS_PER_THREAD: usize = 128;
const MAX_THREADS: usize = 8;
/// Items that a worker takes at once. Files differ in size, so the shares are not given out beforehand.
const BLOCK: usize = 32;

/// The processors that one scan may use. They are counted when there is enough work for two.
#[derive(Debug, Default)]
pub(crate) struct Workers(OnceCell<usize>);

impl Workers {
    /// Applies a function to every item, on several threads where that pays, and returns the results in the order
    /// of the items.
    pub(crate) fn in_order<T: Sync, R: Send>(&self, items: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let most = (items.len() / ITEMS_PER_THREAD).min(MAX_THREADS);
        let threads = if most < 2 { 1 } else { most.min(self.processors()) };
        if threads < 2 {
            return items.iter().map(apply).collect();
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let start = next.fetch_add(BLOCK, Ordering::Relaxed);
                let Some(rest) = items.get(start..).filter(|rest| !rest.is_empty()) else { return done };
                let block = rest.get(..BLOCK).unwrap_or(rest);
                done.push((start, block.iter().map(&apply).collect::<Vec<R>>()));
            }
        };
        let mut blocks = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut blocks = work();
            for other in others {
                match other.join() {
                    Ok(part) => blocks.extend(part),
                    Err(panic) => resume_unwind(panic),
                }
            }
            blocks
        });
        blocks.sort_unstable_by_key(|(start, _)| *start);
        let mut results = Vec::with_capacity(items.len());
        results.extend(blocks.into_iter().flat_map(|(_, block)| block));
        results
    }

    fn processors(&self) -> usize {
        *self.0.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let workers = Workers(OnceCell::from(3));
        let items: Vec<usize> = (0..10_000).collect();
        let doubled: Vec<usize> = items.iter().map(|item| item * 2).collect();
        assert_eq!(workers.in_order(&items, |item| item * 2), doubled);
        assert_eq!(workers.in_order(&[1, 2], |item| item + 1), [2, 3]);
        assert!(workers.in_order(&[] as &[u8], |item| *item).is_empty());
    }
}
