//! The same answer on one processor or many.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

/// Fewer items than this are not worth a thread.
const ITEMS_PER_THREAD: usize = 128;
const MAX_THREADS: usize = 8;

/// Applies a function to every item, on several threads where that pays, and returns the results in the order of the
/// items.
pub(super) fn in_order<T: Sync, R: Send>(items: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = (items.len() / ITEMS_PER_THREAD).min(processors).min(MAX_THREADS);
    if threads < 2 {
        return items.iter().map(apply).collect();
    }
    let apply = &apply;
    thread::scope(|scope| {
        let workers: Vec<_> = items
            .chunks(items.len().div_ceil(threads))
            .map(|chunk| scope.spawn(move || chunk.iter().map(apply).collect::<Vec<_>>()))
            .collect();
        let mut results = Vec::with_capacity(items.len());
        for worker in workers {
            match worker.join() {
                Ok(part) => results.extend(part),
                Err(panic) => resume_unwind(panic),
            }
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..10_000).collect();
        assert_eq!(in_order(&items, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert_eq!(in_order(&[1, 2], |item| item + 1), [2, 3]);
        assert!(in_order(&[] as &[u8], |item| *item).is_empty());
    }
}
