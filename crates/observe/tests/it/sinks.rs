use std::sync::Arc;

use lorimer_core::Route;
use lorimer_observe::{Fanout, InMemory, LiveFunnel, Null, Observer as _};

use crate::{discovered, injected};

/// S3-02: everything that happened to a skill can be shown afterwards, in order.
#[test]
fn s3_02_events_are_kept_in_order_by_every_observer() {
    let (memory, funnel) = (Arc::new(InMemory::new()), Arc::new(LiveFunnel::new()));
    let all = Fanout(vec![Box::new(Null), Box::new(Arc::clone(&memory)), Box::new(Arc::clone(&funnel))]);
    let events = vec![discovered("tea"), injected("tea", Route::Mention)];
    for event in &events {
        all.observe(event);
    }
    assert_eq!(memory.events(), events);
    assert_eq!(funnel.counts().loaded, 1);
    assert_eq!(memory.take(), events);
    assert_eq!(memory.events(), []);
    assert_eq!(format!("{all:?}"), "Fanout(3 observers)");
}
