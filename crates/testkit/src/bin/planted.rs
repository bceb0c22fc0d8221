//! `planted planted-cc FAULT ARGS…` is a C compiler with a fault planted in it; `planted` alone lists the faults.

use howler_testkit::planted;

fn main() {
    planted::main_if_asked();
    for fault in planted::faults() {
        let kinds: Vec<&str> = fault.kinds.iter().map(|kind| kind.name()).collect();
        println!("{:22} {:28} {}", fault.name, kinds.join(" "), fault.about);
    }
}
