//! Functions, globals and types.

use crate::{all, each};

const PROGRAM: &str = "struct s { int a; }; struct s one; int used, unused; int f(void) { return used; }
int main(void) { int x = f(); used = 1; return 0; }";

#[test]
fn what_nothing_uses_goes_alone() {
    let made = all("declarations", PROGRAM, |site| site.choice == 0).unwrap();
    assert_eq!(
        made,
        "int used; int f(void) { return used; } int main(void) { int x = f(); used = 1; return 0; }"
    );
}

#[test]
fn what_is_used_goes_with_its_users() {
    let made = all("declarations", PROGRAM, |site| site.choice == 1).unwrap();
    assert_eq!(made, "int main(void) { return 0; }");
}

#[test]
fn main_stays() {
    assert!(each("declarations", PROGRAM).iter().all(|made| made.contains("int main(void)")));
}
