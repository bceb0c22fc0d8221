//! Same seed, same bytes: the answers of twenty seeds, hashed. These numbers never change.

use howler_choices::Choices;
use howler_choices::weights::Weights;

/// One of every kind of decision, in several sub-streams, as text.
fn transcript(choices: &mut Choices) -> String {
    let mut text = String::new();
    let mut say = |what: &str, value: i128| text.push_str(&format!("{what}={value}\n"));
    let weights = Weights::new(&[0, 5, 0, 90, 5]).expect("a weight is not 0");
    for index in 0..8 {
        let mut sub = choices.sub_indexed("function", index);
        say("u64", i128::from(sub.range("u64", 0..=u64::MAX)));
        say("i64", i128::from(sub.range("i64", -1_000_000_007..=i64::MAX)));
        say("i128", sub.range("i128", i128::MIN / 3..=i128::MAX / 3));
        say("full", sub.range("full", i128::MIN..=i128::MAX));
        say("small", i128::from(sub.range("small", -3i8..=3)));
        say("one", i128::from(sub.range("one", 5u8..=5)));
        for count in [0, 1, 13, 64, 65, 126] {
            say("bits", i128::try_from(sub.bits("bits", count)).expect("126 bits fit"));
        }
        for _ in 0..16 {
            say("chance", i128::from(sub.chance("chance", 3, 10)));
            say("weighted", sub.weighted("weighted", &weights) as i128);
        }
        let mut sub = sub.sub("parameters");
        say("pick", i128::from(*sub.pick("pick", &[2, 3, 5, 7, 11]).expect("not empty")));
        say("one_of", i128::from(*sub.one_of("one_of", &[2, 3, 5, 7, 11, 13])));
        let mut order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        sub.shuffle("shuffle", &mut order);
        order.iter().for_each(|&item| say("shuffle", item));
        say("parent", i128::from(choices.range("parent", 0u16..=999)));
    }
    text
}

fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[test]
fn twenty_seeds_give_their_bytes() {
    let seeds = (0..18).chain([u64::MAX, 0xdead_beef]);
    let all: String = seeds.map(|seed| transcript(&mut Choices::new(seed))).collect();
    assert_eq!(format!("{:016x}", fnv1a(&all)), "a3dcb2b4d42e68fe");
}

#[test]
fn the_first_words_are_what_they_always_were() {
    let mut root = Choices::new(0);
    let words = [root.bits("word", 64), root.bits("word", 64)];
    assert_eq!(words, [11091344671253066420, 13793997310169335082]);
    let subs = [root.sub("a"), root.sub("b"), root.sub_indexed("a", 0), root.sub("a").sub("b")];
    assert_eq!(
        subs.map(|mut sub| sub.bits("word", 64)),
        [8040311508574486404, 8990154423180277917, 8892365195197883980, 9833453308176445171]
    );
}

#[test]
fn recording_and_full_fuel_change_nothing() {
    for seed in 0..20 {
        let plain = transcript(&mut Choices::new(seed));
        assert_eq!(transcript(&mut Choices::recording(seed)), plain);
        assert_eq!(transcript(&mut Choices::new(seed).with_fuel(u64::MAX)), plain);
    }
}
