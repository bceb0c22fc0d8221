//! Always true guard (TG, §4.2): `if (true) s`, in other words, around a statement that is there.

use howler_choices::Choices;
use howler_lang::edit::{Edit, Place};
use howler_lang::program::StmtKind;

use crate::predicate::predicate;
use crate::site::{Proposal, Site, Step};
use crate::syn::Syn;

/// Guards the statement at the point. Declarations must stay in their block, and labels where they are.
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let kind = site.edited.program().stmts[site.at].kind;
    let stays = matches!(
        kind,
        StmtKind::Item(_)
            | StmtKind::Decls(_)
            | StmtKind::LabelDecl(_)
            | StmtKind::Label(..)
            | StmtKind::Case { .. }
            | StmtKind::Default(_)
            | StmtKind::Asm(_)
            | StmtKind::Empty
    );
    if stays {
        return None;
    }
    let (env, atoms) = (site.env, site.atoms);
    let mut any = false;
    let code = site.edited.statements(|c| {
        let Some(always) = predicate(&mut Syn::new(c), env, atoms, choices, true)? else {
            return Ok(Vec::new());
        };
        any = true;
        Ok(vec![c.when(always, &[])?])
    });
    let code = code.ok().filter(|_| any)?;
    let s = site.edited.stmt(site.at);
    // The block is what the code makes first: an empty one needs nothing.
    let steps = vec![
        Step::Plain(Edit::Insert { place: Place::Before(s), code }),
        Step::Into { first: s, last: s, number: 0 },
    ];
    Some(Proposal { steps, cost: 8 })
}
