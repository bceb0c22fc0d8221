//! Guarded jumps: past a statement, back before it, or into a loop that is never entered, behind a condition that never
//! holds. What could be structured is not any more.

use howler_choices::Choices;
use howler_lang::compose::Value;
use howler_lang::id::Id;
use howler_lang::program::StmtKind;
use howler_lang::ty::Type;
use howler_lang::visit::Walk;

use crate::junk::Junk;
use crate::predicate::predicate;
use crate::site::{Proposal, Site};
use crate::strategy::guard::{can_move, into};
use crate::syn::Syn;

/// Puts a jump that is never made around the statement at the point.
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let program = site.edited.program();
    // A compiler gives up on functions with many of them.
    let few = Walk::stmt(program, site.at)
        .statements()
        .all(|s| !matches!(program.stmts[s].kind, StmtKind::Label(..) | StmtKind::LabelDecl(_)));
    if !few || !can_move(program, site.at) {
        return None;
    }
    let (env, atoms, scenery) = (site.env, site.atoms, site.scenery);
    // Labels are known in a whole function, and others are made beside this one.
    let at = site.at;
    let way = choices.range("jump", 0..=2u32);
    let mut any = false;
    let code = site.edited.statements(|c| {
        let name = c.fresh(&format!("way_{}", at.index()));
        let label = c.label(&name);
        let (block, nothing) = (c.block(&[]), c.nothing());
        // What is known is known before the statement: conditions that are looked at after it are computed before.
        let Some(never) = predicate(&mut Syn::new(c), env, atoms, choices, false)? else {
            return Ok(Vec::new());
        };
        let jump = c.goto(label);
        let stmts = match way {
            // `int kept = never; back: { s } if (kept) goto back;`
            BACK => {
                let name = c.fresh("kept");
                let (kept, keeps) = c.local(&name, Type::INT, Some(&Value::Expr(never)))?;
                let (mark, kept) = (c.labelled(label, block)?, c.lvalue(kept));
                vec![keeps, mark, c.when(kept, &[jump])?]
            }
            // `if (never) goto past; { s } past: ;`
            PAST => {
                let first = c.when(never, &[jump])?;
                vec![first, block, c.labelled(label, nothing)?]
            }
            // `int kept = false; if (never) goto inside; { s } while (kept) { inside: ; … }`
            _ => {
                let Some(other) = predicate(&mut Syn::new(c), env, atoms, choices, false)? else {
                    return Ok(Vec::new());
                };
                let name = c.fresh("kept");
                let (kept, keeps) = c.local(&name, Type::INT, Some(&Value::Expr(other)))?;
                let first = c.when(never, &[jump])?;
                let mut body = vec![c.labelled(label, nothing)?];
                body.extend(Junk { c, scenery }.body(choices)?);
                let kept = c.lvalue(kept);
                vec![keeps, first, block, c.while_loop(kept, &body)?]
            }
        };
        any = true;
        Ok(vec![c.block(&stmts)])
    });
    let code = code.ok().filter(|_| any)?;
    // How many statements come before the block: declarations, and the jump with what is around it.
    let number = match way {
        BACK => 1,
        PAST => 3,
        _ => 4,
    };
    Some(into(site, code, number))
}

const BACK: u32 = 0;
const PAST: u32 = 1;
