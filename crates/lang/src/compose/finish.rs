//! What only the whole program shows: the rules of `verify`, names that are no names, and the order that C89 wants.

use rustc_hash::FxHashSet;

use super::Composer;
use crate::builtin;
use crate::program::{Program, StmtId, StmtKind};
use crate::symbol::{Symbol, is_identifier};
use crate::target::Edition;
use crate::verify::{self, Fault};
use crate::visit::{self, Node};

impl Composer {
    /// The program, if it is well-formed: it prints as C that means what it is. It is not linked yet.
    ///
    /// # Errors
    /// The rules that are broken, by the names that `verify` gives them; **D-name** is one more: a name is an identifier
    /// that is no keyword.
    pub fn finish(self) -> Result<Program, Vec<Fault>> {
        let mut faults = verify::program(&self.program);
        if faults.is_empty() {
            check_names(&self.program, &mut faults);
            check_order(&self.program, &mut faults);
        }
        if faults.is_empty() { Ok(self.program) } else { Err(faults) }
    }
}

fn check_names(program: &Program, faults: &mut Vec<Fault>) {
    let mut bad: FxHashSet<Symbol> = FxHashSet::default();
    let mut look = |name: Symbol| {
        let text = program.name(name);
        if !is_identifier(text) && builtin::lookup(text).is_none() && bad.insert(name) {
            faults.push(Fault { rule: "D-name", what: format!("'{text}' is no identifier") });
        }
    };
    program.objects.iter().filter_map(|(_, object)| object.name).for_each(&mut look);
    program.funcs.iter().for_each(|(_, function)| look(function.name));
    program.labels.iter().for_each(|(_, label)| look(label.name));
    program.types.enums.iter().for_each(|(_, one)| look(one.tag));
    program.types.enumerators.iter().for_each(|(_, one)| look(one.name));
    for (_, record) in program.types.records.iter().filter(|(_, record)| !record.va_list_tag) {
        record.tag.into_iter().chain(record.fields.iter().filter_map(|field| field.name)).for_each(&mut look);
    }
}

/// In C89 declarations come before statements.
fn check_order(program: &Program, faults: &mut Vec<Fault>) {
    if program.target.std.edition != Edition::C89 {
        return;
    }
    visit::each(program, |part| {
        let Node::Stmt(stmt) = part.node else { return };
        let StmtKind::Compound(list) = program.stmts[stmt].kind else { return };
        let declares =
            |&&s: &&StmtId| matches!(program.stmts[s].kind, StmtKind::Item(_) | StmtKind::LabelDecl(_));
        let block = program.block(list);
        let first = block.iter().take_while(declares).count();
        if block[first..].iter().any(|s| declares(&s)) {
            let what = "ISO C90 forbids mixed declarations and code".to_owned();
            faults.push(Fault { rule: "S-declare", what });
        }
    });
}
