//! Orion: what never ran is taken away.

use howler_choices::Choices;
use howler_lang::edit::Edit;
use howler_lang::program::{Program, StmtId, StmtKind};
use howler_lang::visit::Walk;
use howler_machine::profile::Profile;

use crate::drift::Counts;
use crate::site::{Proposal, Site, Step};

/// Removes the statement at the point.
pub fn propose(site: &mut Site<'_>, _: &mut Choices) -> Option<Proposal> {
    let program = site.edited.program();
    if !is_dead(program, site.profile, site.at) {
        return None;
    }
    let gone = Counts::of(program, site.at);
    let steps = vec![Step::Plain(Edit::Remove(site.edited.stmt(site.at)))];
    Some(Proposal { removed: gone, dead: true, ..Proposal::new(steps, 0) })
}

/// Whether no part of a statement ever ran, and nothing else of the program needs it: no declaration, and no label that
/// somebody may jump to.
fn is_dead(program: &Program, profile: &Profile, s: StmtId) -> bool {
    let is_switch = matches!(program.stmts[s].kind, StmtKind::Switch { .. });
    let needed = matches!(program.stmts[s].kind, StmtKind::Item(_) | StmtKind::Decls(_) | StmtKind::Empty);
    !needed
        && Walk::stmt(program, s).statements().all(|inner| {
            let label = match program.stmts[inner].kind {
                StmtKind::Label(..) | StmtKind::LabelDecl(_) => true,
                StmtKind::Case { .. } | StmtKind::Default(_) => !is_switch,
                _ => false,
            };
            !label && profile.sure_count(inner) == Some(0)
        })
}
