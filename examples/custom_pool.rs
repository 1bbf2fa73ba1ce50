//! Pools of types that somebody else wrote: their steps stand in `pool!`, their sizes in
//! `multi_pool!`.
//!
//! ```text
//! cargo run --release --example custom_pool
//! ```
//!
//! Counts the words of texts with pooled hash maps, then mixes sounds of many lengths in pooled
//! blocks of samples.

use std::collections::HashMap;
use std::error::Error;
use std::thread;

bp::pool! {
    /// Hash maps for counting words.
    pub struct CountsPool(HashMap<String, usize>) -> CountsRef {
        // How many words a new map has room for.
        config: usize,
        create: |words| HashMap::with_capacity(*words),
        // Keeps the table, which is what costs.
        reset: |counts, _words| counts.clear(),
        // One text of a million words shall not hold on to its memory for ever.
        keep: |counts, words| counts.capacity() <= 16 * *words,
    }

    /// Blocks of samples, of one length.
    pub struct SamplesPool(Vec<f32>) -> SamplesRef: [f32] {
        config: usize,
        create: |len| vec![0.0; *len],
    }
}

bp::multi_pool! {
    /// Blocks of samples, of the length that is asked for.
    pub struct MultiSamplesPool(SamplesPool) -> SamplesRef {
        // A block serves any length up to its capacity,
        size: |samples| samples.capacity(),
        // and every get begins with silence of just that length.
        fit: |samples, len| {
            samples.clear();
            samples.resize(*len, 0.0);
        },
    }
}

/// Returns the word that stands most often in the text, the first in the alphabet of several.
fn favourite(text: &str, pool: &CountsPool) -> Option<(String, usize)> {
    let mut counts = pool.get();
    for word in text.split_whitespace() {
        // A name is only copied when it is new.
        match counts.get_mut(word) {
            Some(count) => *count += 1,
            None => _ = counts.insert(word.to_owned(), 1),
        }
    }
    let most = counts.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0)))?;
    Some((most.0.clone(), *most.1))
    // The guard goes, and the map is back in the pool, empty.
}

/// Adds sounds up, each half as loud as the one before; as long as the longest.
fn mixed(sounds: &[SamplesRef], pool: &MultiSamplesPool) -> SamplesRef {
    let len = sounds.iter().map(|sound| sound.len()).max().unwrap_or(0);
    let mut mix = pool.get(len);
    let mut volume = 1.0;
    for sound in sounds {
        for (sum, sample) in mix.iter_mut().zip(&**sound) {
            *sum += volume * sample;
        }
        volume /= 2.0;
    }
    mix
}

fn main() -> Result<(), Box<dyn Error>> {
    let counts = CountsPool::new(8, 64);
    let texts = ["to be or not to be", "a rose is a rose is a rose", "row row row your boat"];
    thread::scope(|scope| {
        for text in texts {
            let counts = &counts;
            scope.spawn(move || {
                for _ in 0..1000 {
                    favourite(text, counts);
                }
            });
        }
    });
    for text in texts {
        if let Some((word, count)) = favourite(text, &counts) {
            println!("{count} times {word:?} in {text:?}");
        }
    }
    let stats = counts.stats();
    println!("{} maps made for {} texts\n", stats.misses, stats.hits + stats.misses);

    // Sounds of a hundredth of a second to a second, at 48 kHz.
    let samples = MultiSamplesPool::builder().classes_geometric(8, 960, 48_000, 2.0).build()?;
    for round in 1..=1000 {
        let sounds: Vec<SamplesRef> = (1..4)
            .map(|part| {
                let mut sound = samples.get(480 + 37 * round * part % 47_000);
                sound.fill(0.5);
                sound
            })
            .collect();
        let mix = mixed(&sounds, &samples);
        assert!(mix.iter().all(|sample| (0.0..=1.0).contains(sample)));
    }
    for class in samples.classes() {
        let uses = class.stats.hits + class.stats.misses;
        println!("up to {:>5} samples: {} blocks for {uses} uses", class.size, class.stats.misses);
    }
    Ok(())
}

#[test]
fn maps_are_reused_and_hold_nothing_of_the_text_before() {
    let pool = CountsPool::new(8, 64);
    assert_eq!(favourite("to be or not to be", &pool), Some(("be".to_owned(), 2)));
    assert_eq!(favourite("not", &pool), Some(("not".to_owned(), 1)));
    assert_eq!(favourite("", &pool), None);
    assert_eq!((pool.stats().misses, pool.stats().hits), (1, 2));
}

#[test]
fn a_map_that_grew_too_large_is_not_kept() {
    let pool = CountsPool::new(8, 4);
    let words: Vec<_> = (0..1000).map(|n| n.to_string()).collect();
    favourite(&words.join(" "), &pool);
    assert_eq!((pool.len(), pool.stats().discarded_unfit), (0, 1));
}

#[test]
fn sounds_are_as_long_as_asked_for_and_begin_silent() {
    let pool = MultiSamplesPool::builder().class(4, 10).class(4, 100).build().expect("classes");
    for len in [7, 3, 10, 50, 0, 200] {
        let mut sound = pool.get(len);
        assert_eq!(&*sound, vec![0.0; len]);
        sound.fill(1.0);
    }
    let mut sounds = vec![pool.get(2), pool.get(3)];
    for sound in &mut sounds {
        sound.fill(1.0);
    }
    assert_eq!(&*mixed(&sounds, &pool), [1.5, 1.5, 0.5]);
}

#[test]
fn the_program_ends_well() {
    main().expect("classes that are right");
}
