//! The examples of the paper.

use howler_spe::paper::Group;
use howler_spe::skeleton::{Hole, Skeleton, Var};
use howler_spe::space::Space;

/// Holes that see the first so many variables.
fn space(kinds: &[u32], visible: &[u32]) -> Space {
    let hole = |&visible: &u32| Hole { visible: (0..visible).map(Var).collect(), original: Var(0) };
    Space::new(Skeleton::new(kinds, visible.iter().map(hole).collect()).unwrap()).unwrap()
}

fn counts(space: &Space) -> (String, String) {
    (space.naive().to_string(), space.count().to_string())
}

/// Examples 1, 2, 4 and 5: the program of figure 5 has six holes for two variables.
#[test]
fn figure_5_has_64_programs_and_32_of_them_differ() {
    let space = space(&[0, 0], &[2; 6]);
    assert_eq!(counts(&space), ("64".to_owned(), "32".to_owned()));
    let rank = |variables: [u32; 6]| space.rank(&variables.map(Var)).unwrap();
    assert_eq!(rank([0, 1, 0, 0, 0, 1]), rank([1, 0, 1, 1, 1, 0]));
    assert_ne!(rank([0, 1, 0, 0, 0, 1]), rank([0, 1, 1, 1, 0, 1]));
}

/// Example 3: figure 6 without initialisers. Holes at uses, and at declarators too.
#[test]
fn figure_6_counts() {
    assert_eq!(counts(&space(&[0; 4], &[4; 6])).0, "4096");
    let scoped = space(&[0, 0, 1, 1], &[2, 4, 4, 4, 2, 2]);
    assert_eq!(counts(&scoped), ("512".to_owned(), "144".to_owned()));
    assert_eq!(counts(&space(&[0; 4], &[4; 10])).0, "1048576");
    assert_eq!(counts(&space(&[0, 0, 1, 1], &[2, 2, 2, 4, 4, 4, 4, 4, 2, 2])).0, "32768");
}

/// Example 6: figure 7. Algorithm 1 loses four programs.
#[test]
fn figure_7_counts() {
    let space = space(&[0, 0, 1, 1], &[2, 2, 4, 4, 2]);
    assert_eq!(counts(&space), ("128".to_owned(), "40".to_owned()));
    let group = Group { variables: 2, holes: 3, scopes: vec![(2, 2)] };
    assert_eq!(group.count().to_string(), "36");
}
