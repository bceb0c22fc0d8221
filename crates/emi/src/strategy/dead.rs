//! Always false conditional block (FCB, §4.2): an `if` or `while` that is never entered.

use howler_choices::Choices;

use crate::junk::Junk;
use crate::predicate::predicate;
use crate::site::{Proposal, Site};
use crate::syn::Syn;

/// `if (false) { … }` or `while (false) { … }`, in other words.
pub fn propose(site: &mut Site<'_>, choices: &mut Choices) -> Option<Proposal> {
    let (env, atoms, scenery) = (site.env, site.atoms, site.scenery);
    let mut any = false;
    let code = site.edited.statements(|c| {
        let Some(never) = predicate(&mut Syn::new(c), env, atoms, choices, false)? else {
            return Ok(Vec::new());
        };
        any = true;
        let is_loop = choices.chance("loop", 1, 3);
        let body = Junk { c, scenery }.body(choices)?;
        Ok(vec![if is_loop { c.while_loop(never, &body)? } else { c.when(never, &body)? }])
    });
    let code = code.ok().filter(|_| any)?;
    Some(site.before(code, 8))
}
