//! Where jumps may go: not into the scope of a variably modified type (C17 6.8.6.1p1), nor into a statement expression
//! (GNU C). What one compiler lets pass and another refuses is counted.

use super::{Faults, Walked};
use crate::program::{Entity, FuncId, Item, LabelId, Program, StmtId, StmtKind};
use crate::visit::{Node, Part};
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of a function that jumps must not enter: 0 is the function itself, others index [`Jumps::regions`] from 1.
pub(super) type Region = u32;

/// Why jumps must not enter a region.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// From a declaration of variably modified type to the end of its block; or a statement expression.
    Forbidden,
    /// From a declaration with `cleanup` to the end of its block: clang does not let jumps go there.
    Cleanup,
}

/// The labels of a function and the jumps to them.
#[derive(Default)]
pub(super) struct Jumps {
    /// The region around each, and what it is.
    regions: Vec<(Region, Why)>,
    placed: FxHashMap<LabelId, Region>,
    /// Those that `__label__` declares.
    local: FxHashSet<LabelId>,
    /// Labels that are jumped to, and from where.
    jumps: Vec<(LabelId, Region)>,
    /// Labels whose address is taken.
    addresses: Vec<LabelId>,
    /// Where `goto *` stands.
    computed: Vec<Region>,
}

impl Jumps {
    /// Places a label; whether it was placed nowhere before.
    pub(super) fn place(&mut self, label: LabelId, at: Region) -> bool {
        self.placed.insert(label, at).is_none()
    }

    pub(super) fn declare(&mut self, label: LabelId) {
        self.local.insert(label);
    }

    pub(super) fn jump(&mut self, label: LabelId, from: Region) {
        self.jumps.push((label, from));
    }

    pub(super) fn address(&mut self, label: LabelId) {
        self.addresses.push(label);
    }

    pub(super) fn computed(&mut self, from: Region) {
        self.computed.push(from);
    }

    /// A statement expression.
    pub(super) fn enter(&mut self, around: Region) -> Region {
        self.open(around, Why::Forbidden)
    }

    /// What is around the parts that follow a part of a block or of a `for`.
    pub(super) fn after(&mut self, program: &Program, part: Part, around: Region) -> Region {
        let Node::Stmt(s) = part.node else { return around };
        match program.stmts[s].kind {
            StmtKind::Item(item) => self.after_item(program, item, around),
            StmtKind::Decls(list) => {
                program.block(list).iter().fold(around, |around, &s| match program.stmts[s].kind {
                    StmtKind::Item(item) => self.after_item(program, item, around),
                    _ => around,
                })
            }
            _ => around,
        }
    }

    fn after_item(&mut self, program: &Program, item: Item, around: Region) -> Region {
        let Item::Decl(decl) = item else { return around };
        let decl = &program.decls[decl];
        let ty = match decl.entity {
            Entity::Object(object) => program.objects[object].ty,
            Entity::Typedef(_) => decl.ty,
            Entity::Function(_) | Entity::Bounds => return around,
        };
        if program.types.is_variably_modified(ty) {
            return self.open(around, Why::Forbidden);
        }
        match decl.attrs.iter().any(|attr| program.name(attr.name) == "cleanup") {
            true => self.open(around, Why::Cleanup),
            false => around,
        }
    }

    fn open(&mut self, around: Region, why: Why) -> Region {
        self.regions.push((around, why));
        self.regions.len() as Region
    }

    /// What a jump from one region to another enters that it must not, the worst of it.
    fn entered(&self, from: Region, to: Region) -> Option<Why> {
        // A region's number is greater than that of the one around it.
        let (mut from, mut to, mut worst) = (from, to, None);
        while from != to {
            if from > to {
                from = self.regions[from as usize - 1].0;
                continue;
            }
            let (outer, why) = self.regions[to as usize - 1];
            if worst != Some(Why::Forbidden) {
                worst = Some(why);
            }
            to = outer;
        }
        worst
    }

    /// Whether a `switch` in one region may have a `case` in another.
    pub(super) fn check_case(&self, from: Region, to: Region, walked: &mut Walked) -> bool {
        match self.entered(from, to) {
            None => true,
            Some(Why::Cleanup) => {
                walked.odd += 1;
                true
            }
            Some(Why::Forbidden) => false,
        }
    }
}

/// Checks all jumps of a program. Functions come in the order of the source.
pub(super) fn check(program: &Program, all: &[(FuncId, Jumps)], walked: &mut Walked, faults: &mut Faults) {
    let of: FxHashMap<FuncId, &Jumps> = all.iter().map(|(func, jumps)| (*func, jumps)).collect();
    let name = |label: LabelId| program.name(program.labels[label].name);
    for (func, jumps) in all {
        let mut placed: Vec<LabelId> = jumps.placed.keys().copied().collect();
        placed.sort_unstable();
        for label in placed {
            let declared = program.labels[label].local == jumps.local.contains(&label);
            faults.require(declared, "S-label", || format!("'{}' is declared in no block", name(label)));
        }
        // gcc warns of a label that is declared and not placed, clang refuses it.
        walked.odd += jumps.local.iter().filter(|label| !jumps.placed.contains_key(label)).count();
        for &(label, from) in &jumps.jumps {
            match jumps.placed.get(&label) {
                Some(&to) => match jumps.entered(from, to) {
                    None => {}
                    Some(Why::Cleanup) => walked.odd += 1,
                    Some(Why::Forbidden) => {
                        faults.add("S-jump", || format!("'{}' is jumped into", name(label)))
                    }
                },
                None => require_outside(program, &of, *func, label, faults),
            }
        }
        for &label in &jumps.addresses {
            if !jumps.placed.contains_key(&label) {
                require_outside(program, &of, *func, label, faults);
            }
        }
        // clang wants a label for each, and every label to be one that the jump may go to.
        let targets = || jumps.addresses.iter().filter_map(|label| jumps.placed.get(label));
        for &from in &jumps.computed {
            let wrong = targets().filter(|&&to| jumps.entered(from, to).is_some()).count();
            walked.odd += wrong + usize::from(jumps.addresses.is_empty());
        }
    }
}

/// A label that a function does not place is one that a function around it declares with `__label__`.
fn require_outside(
    program: &Program,
    all: &FxHashMap<FuncId, &Jumps>,
    func: FuncId,
    label: LabelId,
    faults: &mut Faults,
) {
    let mut at = program.funcs[func].parent;
    let mut placed = false;
    while let Some(around) = at.filter(|_| !placed) {
        placed = all.get(&around).is_some_and(|jumps| jumps.placed.contains_key(&label));
        at = program.funcs[around].parent;
    }
    faults.require(placed && program.labels[label].local, "S-label", || {
        format!("'{}' is jumped to but not placed", program.name(program.labels[label].name))
    });
}

/// Whether a statement is a loop or a `switch`, whose controlling expressions belong to it or not: what `break` means
/// there depends on the compiler.
pub(super) fn is_left_by_break(program: &Program, s: StmtId) -> bool {
    matches!(
        program.stmts[s].kind,
        StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } | StmtKind::Switch { .. }
    )
}
