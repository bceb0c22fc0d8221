//! Initialisers.

use super::lvalue::Lv;
use super::{AccessUse, Lower, Lowerer};
use crate::facts;
use crate::op::{MemberInfo, NONE, Op, PoolItem, Reg};
use howler_lang::arith::Num;
use howler_lang::program::{ExprId, ExprKind, Init, InitEntry, InitId, ObjId, Program, StrId};
use howler_lang::ty::{Len, RecordKind, Type, TypeKind};
use howler_lang::visit;

/// The size an object needs because its flexible member is initialised.
pub(crate) fn flexible_tail(program: &Program, ty: Type, init: InitId) -> u64 {
    let Some(record) = program.types.as_record(ty) else { return 0 };
    let Init::List(list) = program.inits[init] else { return 0 };
    let fields = &program.types.records[record].fields;
    let Some(last) = fields.last() else { return 0 };
    let TypeKind::Array { elem, len: Len::Unknown | Len::Fixed(0) } = program.types.kind(last.ty) else {
        return 0;
    };
    let index = fields.len() as u64 - 1;
    let given = program.init_entries(list).iter().filter(|entry| entry.index == index);
    let count = given.map(|entry| match program.inits[entry.init] {
        Init::List(list) | Init::Update(list) => {
            program.init_entries(list).iter().map(|entry| entry.last + 1).max().unwrap_or(0)
        }
        Init::Expr(e) => match program.exprs[e].kind {
            ExprKind::Str(_) => match program.types.kind(program.ty(e)) {
                TypeKind::Array { len: Len::Fixed(count), .. } => count,
                _ => 0,
            },
            _ => 0,
        },
    });
    let Some(count) = count.max() else { return 0 };
    let offset =
        program.layouts.record(&program.types, record).and_then(|layout| layout.fields.last().copied());
    offset.map_or(0, |place| place.byte()) + count * program.size_of(elem).unwrap_or(0)
}

impl Lowerer<'_> {
    pub fn init_static(&mut self, object: ObjId, addr: Reg, init: InitId) -> Lower<()> {
        let ty = self.program.objects[object].ty;
        let lv = Lv::named(addr, ty);
        self.init(&[lv], init, &[])
    }

    /// Sets an automatic object; `object` is the variable it is, if it has a name.
    pub fn init_auto(&mut self, lv: &Lv, init: InitId, object: Option<ObjId>) -> Lower<()> {
        let list = matches!(self.program.inits[init], Init::List(_)) && !lv.register;
        if self.f.init_group.is_none() {
            let own = list
                && object.is_some_and(|object| facts::names_itself(self.program, &self.facts, init, object));
            if own || self.facts.order_matters(init) {
                return self.init_in_any_order(lv, init, own);
            }
        }
        let covering = self.f.init_group.is_some() || self.facts.init_effects(init).has_side_effects();
        let outer = std::mem::replace(&mut self.f.covering, covering);
        let done =
            if list { self.init_list(lv, init) } else { self.init(std::slice::from_ref(lv), init, &[]) };
        self.f.covering = outer;
        done
    }

    fn init_list(&mut self, lv: &Lv, init: InitId) -> Lower<()> {
        if self.program.types.is_vla(lv.ty) {
            let size = self.vla_size(lv.ty)?;
            self.emit(Op::ZeroBy { addr: lv.addr, size });
            return self.init(std::slice::from_ref(lv), init, &[]);
        }
        let size = self.size(lv.ty)? as u32;
        self.emit(Op::Zero { addr: lv.addr, size });
        self.init(std::slice::from_ref(lv), init, &[])?;
        self.pad_whole(lv);
        Ok(())
    }

    fn pad_whole(&mut self, lv: &Lv) {
        if let TypeKind::Record(record) = self.program.types.kind(lv.ty)
            && let Some(pads) = self.pads(record, true)
        {
            self.emit(Op::Pad { addr: lv.addr, pads });
        }
    }

    /// Sets objects of one type to one value, whose bytes are 0 already if it is a list; `later` are entries that come
    /// after it and go into the same parts. Without objects, the expressions need not be evaluated.
    fn init(&mut self, lvs: &[Lv], init: InitId, later: &[InitEntry]) -> Lower<()> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.init_here(lvs, init, later))
    }

    fn init_here(&mut self, lvs: &[Lv], init: InitId, later: &[InitEntry]) -> Lower<()> {
        let program = self.program;
        let Some(first) = lvs.first() else {
            let mut exprs = Vec::new();
            visit::init_expressions(program, init, |e| exprs.push(e));
            return exprs.into_iter().try_for_each(|e| self.init_leaf(lvs, e));
        };
        let list = match program.inits[init] {
            Init::Expr(e) => return self.init_leaf(lvs, e),
            Init::List(list) | Init::Update(list) => list,
        };
        let entries = program.init_entries(list);
        match program.types.kind(first.ty) {
            TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => {
                let size = self.size(elem)?;
                let cover = self.cover(entries, later, false)?;
                let mut end = 0;
                for (at, entry) in entries.iter().enumerate() {
                    let again = self.given_before(entries, at, end)?;
                    end = end.max(entry.last + 1);
                    let mut parts = Vec::new();
                    for index in entry.index..=entry.last {
                        if cover.is_covered(at, index) {
                            continue;
                        }
                        for lv in lvs {
                            let part = self.part(lv, index * size, size, elem);
                            self.clear(&part, entry.init, again, size);
                            parts.push(part);
                        }
                    }
                    let later = self.changed_later(&cover, at)?;
                    self.init(&parts, entry.init, &later)?;
                }
                Ok(())
            }
            TypeKind::Complex(elem) => {
                let size = self.size(elem)?;
                for entry in entries {
                    let parts: Vec<Lv> =
                        lvs.iter().map(|lv| self.part(lv, entry.index * size, size, elem)).collect();
                    self.init(&parts, entry.init, &[])?;
                }
                Ok(())
            }
            TypeKind::Record(record) => {
                let union = program.types.records[record].kind == RecordKind::Union;
                let cover = self.cover(entries, later, union)?;
                let mut end = 0;
                for (at, entry) in entries.iter().enumerate() {
                    let again = self.given_before(entries, at, end)? || (union && at > 0);
                    end = end.max(entry.last + 1);
                    let mut parts = Vec::new();
                    for lv in lvs {
                        if cover.is_covered(at, entry.index) {
                            continue;
                        }
                        let part = self.field_part(lv, record, entry.index as u32, union)?;
                        let size = program.size_of(part.ty).unwrap_or(0);
                        self.clear(&part, entry.init, again, size);
                        parts.push(part);
                    }
                    let later = self.changed_later(&cover, at)?;
                    self.init(&parts, entry.init, &later)?;
                }
                Ok(())
            }
            _ => match entries.first() {
                Some(entry) => self.init(lvs, entry.init, &[]),
                None => {
                    let zero = self.constant(0);
                    lvs.iter().try_for_each(|lv| self.store(lv, zero, AccessUse::INITIAL))
                }
            },
        }
    }

    /// Whether an earlier entry may have given a value to the part of entry number `at`; all before it end at `end`.
    fn given_before(&mut self, entries: &[InitEntry], at: usize, end: u64) -> Lower<bool> {
        let program = self.program;
        let entry = entries[at];
        let value = |other: &InitEntry| match program.inits[other.init] {
            Init::Expr(e) => !matches!(program.exprs[e].kind, ExprKind::Str(_)),
            _ => false,
        };
        let overlaps = |other: &InitEntry| other.index <= entry.last && entry.index <= other.last;
        if let Init::Update(_) = program.inits[entry.init]
            && entries[..at].iter().any(|other| overlaps(other) && value(other))
        {
            // gcc drops the value, clang keeps its other parts.
            return self.refuse("a designator into a struct or union that an expression gave a value");
        }
        Ok(entry.index < end)
    }

    /// Braces give all of a part a value again (C17 6.7.9p19, p21).
    fn clear(&mut self, part: &Lv, init: InitId, again: bool, size: u64) {
        if again && size > 0 && matches!(self.program.inits[init], Init::List(_)) {
            self.emit(Op::Zero { addr: part.addr, size: size as u32 });
        }
    }

    /// One expression of an initialiser. Those of a list are indeterminately sequenced (C17 6.7.9p23).
    fn init_leaf(&mut self, lvs: &[Lv], e: ExprId) -> Lower<()> {
        match &mut self.f.init_group {
            Some(leaves) => {
                leaves.push((lvs.to_vec(), e));
                Ok(())
            }
            None => self.init_expr(lvs, e),
        }
    }

    /// An initialiser whose expressions may conflict, or access the object itself: each is evaluated as a call would be,
    /// in this run's order, and sets its part.
    fn init_in_any_order(&mut self, lv: &Lv, init: InitId, own: bool) -> Lower<()> {
        self.f.init_group = Some(Vec::new());
        let walked = if own {
            let outer = std::mem::replace(&mut self.f.covering, true);
            let walked = self.init(std::slice::from_ref(lv), init, &[]);
            self.f.covering = outer;
            walked
        } else {
            self.init_auto(lv, init, None)
        };
        let mut leaves = self.f.init_group.take().unwrap_or_default();
        walked?;
        if self.right_first() {
            leaves.reverse();
        }
        let operands = leaves.len() as u32;
        let size = if own { self.size(lv.ty)? as u32 } else { 0 };
        if own {
            self.emit(Op::Unset { addr: lv.addr, size });
        }
        self.emit(Op::SeqBegin);
        for (lvs, e) in leaves {
            self.emit(Op::SeqOpen);
            self.emit(Op::SeqGroup);
            self.init_expr(&lvs, e)?;
            self.emit(Op::SeqGroupEnd);
        }
        self.emit(Op::SeqJoin { operands });
        self.emit(Op::SeqEnd);
        if own {
            // When the parts become zero that no expression gives is as open as the rest: here, after all reads.
            self.emit(Op::ZeroRest { addr: lv.addr, size });
            self.pad_whole(lv);
        }
        Ok(())
    }

    /// Evaluates an expression once and sets objects to its value.
    fn init_expr(&mut self, lvs: &[Lv], e: ExprId) -> Lower<()> {
        let program = self.program;
        let Some(first) = lvs.first() else {
            if self.facts.effects(e).has_side_effects() {
                return self.skippable(&[e]);
            }
            return if matches!(program.exprs[e].kind, ExprKind::Str(_)) {
                Ok(())
            } else {
                self.full(e, false).map(|_| ())
            };
        };
        if let (ExprKind::Str(id), TypeKind::Array { .. }) =
            (program.exprs[e].kind, program.types.kind(first.ty))
        {
            return lvs.iter().try_for_each(|lv| self.init_string(lv, e, id));
        }
        let track = self.facts.effects(e).is_tracked();
        if facts::is_aggregate(program, first.ty) {
            let scope = self.facts.effects(e).has_temporaries().then(|| self.open_scope());
            let outer = std::mem::replace(&mut self.f.tracked, track);
            if track {
                self.emit(Op::SeqBegin);
            }
            let value = self.aggregate(e)?;
            for lv in lvs {
                self.copy_aggregate(lv, &value, AccessUse::INITIAL)?;
            }
            if track {
                self.emit(Op::SeqEnd);
            }
            self.f.tracked = outer;
            if let Some(scope) = scope {
                self.close_scope(scope);
            }
            return Ok(());
        }
        let floating = if first.bits.is_some() { self.floating_source(e) } else { None };
        self.full_then(floating.unwrap_or(e), |lower, value| {
            lvs.iter().try_for_each(|lv| {
                let value = match floating {
                    Some(of) => lower.floating_as_field(e, (value, program.ty(of)), lv)?,
                    None => value,
                };
                lower.store(lv, value, AccessUse::INITIAL)
            })
        })
    }

    fn init_string(&mut self, lv: &Lv, e: ExprId, id: StrId) -> Lower<()> {
        let program = self.program;
        let from = program.ty(e);
        let source = self.pool(PoolItem::Str(id, from));
        let available = self.size(from)?;
        let wanted = match program.types.kind(lv.ty) {
            TypeKind::Array { len: Len::Fixed(_), .. } => self.size(lv.ty)?,
            _ => available,
        };
        let size = available.min(wanted);
        let elem = match program.types.kind(from) {
            TypeKind::Array { elem, .. } => elem,
            _ => return self.refuse("a string of this type"),
        };
        let unit = self.size(elem)?.max(1);
        // The rest is zero (C17 6.7.9p21).
        if wanted > size {
            self.emit(Op::Zero { addr: lv.addr, size: wanted as u32 });
        }
        self.emit(Op::CopyString { to: lv.addr, from: source, size: (size / unit * unit) as u32 });
        Ok(())
    }

    fn part(&mut self, base: &Lv, offset: u64, size: u64, ty: Type) -> Lv {
        let dst = self.reg();
        let member = self.out.members.len() as u32;
        self.out.members.push(MemberInfo {
            offset: offset as u32,
            size: Some(size as u32),
            record: 0,
            align: 1,
            through_pointer: false,
        });
        self.emit(Op::Member { dst, base: base.addr, member });
        Lv { how: base.how.or(AccessUse::PACKED), root: NONE, root_ty: None, ..Lv::named(dst, ty) }
    }

    fn field_part(
        &mut self,
        base: &Lv,
        record: howler_lang::ty::RecordId,
        field: u32,
        union: bool,
    ) -> Lower<Lv> {
        let program = self.program;
        let Some(layout) = program.layouts.record(&program.types, record) else {
            return self.refuse("a struct whose layout is not known");
        };
        let declared = &program.types.records[record].fields[field as usize];
        let place = layout.fields[field as usize];
        let ty = declared.ty;
        let size = match place.bytes_touched() {
            Some(bytes) => u64::from(bytes),
            None => program.size_of(ty).unwrap_or(0),
        };
        let flexible =
            matches!(program.types.kind(ty), TypeKind::Array { len: Len::Unknown | Len::Fixed(0), .. });
        let base_is_automatic = self.f.func.is_some();
        let mut part = self.part(base, place.byte(), size, ty);
        if flexible && let Some(Op::Member { member, .. }) = self.f.ops.last() {
            self.out.members[*member as usize].size = None;
        }
        if union {
            part.how = part.how.or(AccessUse::PUNNED);
            if base_is_automatic && size < layout.size {
                part.after.push(Op::Tail { addr: base.addr, union: layout.size as u32, member: size as u32 });
            }
        }
        if let Some(width) = place.width {
            if size > 16 {
                return self.refuse("a bit-field that touches more than 16 bytes");
            }
            let num = howler_lang::arith::num_of(&program.types, &program.target, ty);
            let (value_width, signed) = match num {
                Some(Num::Int { width, signed }) => (width, signed),
                _ => (8, false),
            };
            let (before, after) = super::bit_field::neighbours(program, record, field);
            let shift = place.bit() as u8;
            let bits = crate::memory::access::Bits { shift, width, signed, value_width, before, after };
            part.bits = Some(super::lvalue::BitField { bits, bytes: size as u32 });
        }
        Ok(part)
    }

    pub fn compound_literal(&mut self, object: ObjId) -> Lower<Lv> {
        let declared = &self.program.objects[object];
        let ty = declared.ty;
        let kind = self.literal_kind(object);
        if kind == crate::value::AllocKind::Static {
            return Ok(Lv::named(self.pool_object(object), ty));
        }
        let Some(&reg) = self.f.objects.get(&object) else {
            let addr = self.unsupported("a compound literal outside a block");
            return Ok(Lv::named(addr, ty));
        };
        self.type_name_bounds(ty)?;
        let lv = Lv { register: false, ..Lv::named(reg, ty) };
        if let Some(init) = self.program.objects[object].init {
            let outer = std::mem::replace(&mut self.f.tracked, false);
            let group = self.f.init_group.take();
            self.init_auto(&lv, init, None)?;
            self.f.init_group = group;
            self.f.tracked = outer;
        }
        Ok(lv)
    }
}
