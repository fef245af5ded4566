use super::*;

#[test]
fn the_oldest_block_makes_room() {
    let cache = BlockCache::default();
    let (one, other) = (cache.number_file(), cache.number_file());
    assert_ne!(one, other);
    cache.insert(one, 0, Bytes::from_static(b"first"));
    cache.insert(other, 0, Bytes::from_static(b"second"));
    assert_eq!(cache.get(one, 0).as_deref(), Some(&b"first"[..]));
    assert_eq!(cache.get(other, 0).as_deref(), Some(&b"second"[..]));
    assert_eq!(cache.get(one, 1), None);
    for block in 1..BLOCKS as u64 {
        cache.insert(one, block, Bytes::new());
        // Inserting a block again takes no more room.
        cache.insert(one, block, Bytes::new());
    }
    assert_eq!(cache.get(one, 0), None);
    assert!(cache.get(other, 0).is_some());
    cache.insert(one, 0, Bytes::new());
    assert_eq!(cache.get(other, 0), None);
    assert_eq!(cache.0.lock().expect("no panic").blocks.len(), BLOCKS);
}
