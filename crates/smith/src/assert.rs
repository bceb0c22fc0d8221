//! What the analysis says of pointers, written into the program: if it is wrong, the program aborts.

use howler_lang::compose::signature;
use howler_lang::program::{BinaryOp, ExprId, Linkage, StmtId, UnaryOp};
use howler_lang::ty::{Quals, Type};

use crate::maker::{Made, Maker};
use crate::place::{Part, Shape};
use crate::sets::{Set, Target};

impl Maker<'_> {
    /// `if (!(p == &a || p == &b)) abort();` for some pointer, if all that it may point to can be named.
    pub(crate) fn assertion(&mut self) -> Made<Option<StmtId>> {
        self.log.clear();
        // It is read once for each target.
        let wanted = |maker: &Maker, part: Part| {
            let data = maker.places.part(part);
            let plain =
                data.shape == Shape::Pointer && !data.of_array && !data.quals.contains(Quals::VOLATILE);
            plain && maker.may_read(part, false)
        };
        let Some(pointer) = self.find(wanted, false) else { return Ok(None) };
        let Some(slot) = self.places.part(pointer).slot else { return Ok(None) };
        let set = self.peek(slot);
        let Some(targets) = self.nameable(set) else { return Ok(None) };
        self.state(slot);
        self.note_read(pointer, false);
        let ty = self.places.part(pointer).ty;
        let mut cond = None;
        for target in targets {
            let one = match target {
                Some(part) => {
                    let e = self.constant_path(part)?;
                    let address = self.out.address(e)?;
                    self.out.cast(ty, address)?
                }
                None => self.out.null(ty)?,
            };
            let pointer = self.path(pointer)?;
            let same = self.out.binary(BinaryOp::Eq, pointer, one)?;
            cond = Some(match cond {
                Some(other) => self.out.binary(BinaryOp::Or, other, same)?,
                None => same,
            });
        }
        let Some(cond) = cond else { return Ok(None) };
        self.abort_unless(cond).map(Some)
    }

    /// The targets of a set, null as none, if each is one thing that can be named here.
    fn nameable(&self, set: Set) -> Option<Vec<Option<Part>>> {
        let named = |target: &Target| match (*target == Target::NULL, target.as_part()) {
            (true, _) => Some(None),
            (_, Some(part)) if self.can_name(part) && !self.places.part(part).of_array => Some(Some(part)),
            _ => None,
        };
        self.sets.targets(set).iter().map(named).collect()
    }

    fn abort_unless(&mut self, cond: ExprId) -> Made<StmtId> {
        let abort = match self.pool.abort {
            Some(abort) => abort,
            None => {
                let abort = self.out.function("abort", signature(Type::VOID, &[]), Linkage::External)?;
                self.out.declare_function(abort);
                self.pool.abort = Some(abort);
                abort
            }
        };
        let not = self.out.unary(UnaryOp::Not, cond)?;
        let call = self.out.call(abort, &[])?;
        self.out.when(not, &[call])
    }
}
