//! GNU vectors of integers, whose lanes have values of their own. Where these are known, signed lanes are computed as they
//! are if that is defined; everywhere else as unsigned ones, which wrap around.

use howler_lang::arith::{self, Num};
use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, Linkage, ObjId, StmtId, UnaryOp};
use howler_lang::scalar::Ty;
use howler_lang::ty::Type;

use crate::maker::{Made, Maker};
use crate::options::Feature;
use crate::parameters::Row;
use crate::tree::{Node, Subscript, Subscripts};
use crate::variable::{Category, Cell, CellId, Way};

/// A type of vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lanes {
    pub(crate) elem: Ty,
    pub(crate) count: u32,
    ty: Type,
}

/// A variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector {
    pub(crate) object: ObjId,
    pub(crate) kind: Lanes,
    pub(crate) category: Category,
    pub(crate) first: CellId,
}

/// An expression, with the values of its lanes if they are known.
struct Wide {
    e: ExprId,
    lanes: Option<Vec<u128>>,
    /// Whether it is one number, which an operator spreads over all lanes.
    scalar: bool,
}

/// Signed and unsigned elements, in the order of their row.
const ELEMENTS: [Ty; 8] =
    [Ty::SCHAR, Ty::UCHAR, Ty::SHORT, Ty::USHORT, Ty::INT, Ty::UINT, Ty::LLONG, Ty::ULLONG];

impl Maker<'_> {
    fn lanes(&mut self, elem: Ty, count: u32) -> Made<Lanes> {
        Ok(Lanes { elem, count, ty: self.out.vector(elem.declared(), count)? })
    }

    /// The type with elements of the same size and the other sign.
    fn other_sign(&mut self, kind: Lanes, signed: bool) -> Made<Lanes> {
        let at = ELEMENTS.iter().position(|&elem| elem == kind.elem).unwrap_or(0);
        self.lanes(ELEMENTS[at / 2 * 2 + usize::from(!signed)], kind.count)
    }

    fn is_signed(&self, kind: Lanes) -> bool {
        matches!(self.rules.num(kind.elem), Num::Int { signed: true, .. })
    }

    /// A variable of file scope. Every second one has the type of one that was there before.
    pub(crate) fn vector(&mut self, category: Category) -> Made<()> {
        let kind = match self.choices.pick("same type", &self.vars.vectors) {
            Some(known) if self.choices.chance("known", 1, 2) => known.kind,
            _ => {
                let elem = ELEMENTS[self.draw(Row::Lane)];
                let bytes = *self.choices.one_of("bytes", &[8u32, 16, 16, 16, 32]);
                let size = self.rules.num(elem).width() / 8;
                self.lanes(elem, (bytes / size).max(2))?
            }
        };
        let values = self.elements(kind.elem, kind.count);
        let list = Value::List(values.iter().map(|&bits| Value::Bits(bits)).collect());
        let name = self.name("v");
        let ty = self.qualified(kind.ty, category);
        let object = self.out.global(&name, ty, Linkage::External, Some(&list))?;
        let first = CellId(self.vars.cells.len() as u32);
        for (at, bits) in values.into_iter().enumerate() {
            let way = Way::Lane(at as u32);
            let value = Some(bits);
            self.new_cell(Cell { object, way, ty: kind.elem, category, value, enumerated: false });
        }
        self.vars.vectors.push(Vector { object, kind, category, first });
        Ok(())
    }

    /// A lane as a leaf.
    pub(crate) fn lane_leaf(&mut self) -> Option<Node> {
        let at = self.choices.range("vector", 0..=self.vars.vectors.len().checked_sub(1)?);
        let vector = self.vars.vectors[at];
        if vector.category == Category::Output {
            return None;
        }
        Some(match self.lane(vector) {
            Ok(cell) => Node::Cell(cell),
            Err(subscripts) => Node::Lane(at as u32, subscripts),
        })
    }

    /// A lane of a variable: which, or where its subscript is.
    fn lane(&mut self, vector: Vector) -> Result<CellId, Subscripts> {
        match self.subscript(vector.kind.count) {
            Subscript::Fixed(at) => Ok(CellId(vector.first.0 + at)),
            other => {
                self.tree.subscripts.push(other);
                Err(Subscripts(self.tree.subscripts.len() as u32 - 1))
            }
        }
    }

    pub(crate) fn lane_lvalue(&mut self, vector: usize, subscripts: Subscripts) -> Made<ExprId> {
        let root = self.out.lvalue(self.vars.vectors[vector].object);
        let index = self.subscript_value(self.tree.subscripts[subscripts.0 as usize])?;
        self.out.index(root, index)
    }

    /// A lane to assign to: its cell if it is always the same, else the lvalue and the vector.
    pub(crate) fn lane_goal(&mut self) -> Made<Option<Result<CellId, (ExprId, usize)>>> {
        let Some(last) = self.vars.vectors.len().checked_sub(1) else { return Ok(None) };
        let at = self.choices.range("vector", 0..=last);
        let vector = self.vars.vectors[at];
        if vector.category == Category::Input || self.quiet {
            return Ok(None);
        }
        Ok(Some(match self.lane(vector) {
            Ok(cell) => Ok(cell),
            Err(subscripts) => Err((self.lane_lvalue(at, subscripts)?, at)),
        }))
    }

    /// Every lane has another value, or one that is not known.
    pub(crate) fn set_lanes(&mut self, vector: usize, values: Option<&[u128]>) {
        let Vector { kind, first, .. } = self.vars.vectors[vector];
        for at in 0..kind.count {
            let value = values.and_then(|values| values.get(at as usize)).copied();
            self.set(CellId(first.0 + at), value);
        }
    }

    /// `v = …;`, `v ^= …;`
    pub(crate) fn vector_statement(&mut self) -> Made<Option<StmtId>> {
        let written: Vec<usize> = (0..self.vars.vectors.len())
            .filter(|&at| self.vars.vectors[at].category != Category::Input)
            .collect();
        let Some(&at) = self.choices.pick("vector", &written) else { return Ok(None) };
        if self.quiet {
            return Ok(None);
        }
        let Vector { object, kind, category, .. } = self.vars.vectors[at];
        let depth = self.expression_depth().min(4);
        let value = self.wide(kind, depth)?;
        let place = self.out.lvalue(object);
        let compound = category == Category::Mixed && self.has(Feature::Compound);
        let e = if compound && self.choices.chance("compound", 1, 4) {
            let before = self.known_lanes(at);
            let op = *self.choices.one_of("op", &[BinaryOp::BitXor, BinaryOp::BitOr, BinaryOp::BitAnd]);
            let after = self.lane_by_lane(op, kind, before.as_deref(), value.lanes.as_deref());
            self.set_lanes(at, after.as_deref());
            self.out.compound_assign(op, place, value.e)?
        } else {
            self.set_lanes(at, value.lanes.as_deref());
            self.out.assign(place, value.e)?
        };
        self.out.expr(e).map(Some)
    }

    fn known_lanes(&self, vector: usize) -> Option<Vec<u128>> {
        let Vector { kind, first, category, .. } = self.vars.vectors[vector];
        if self.unsteady() && category != Category::Input {
            return None;
        }
        (0..kind.count).map(|at| self.cell(CellId(first.0 + at)).value).collect()
    }

    fn lane_by_lane(
        &self,
        op: BinaryOp,
        kind: Lanes,
        a: Option<&[u128]>,
        b: Option<&[u128]>,
    ) -> Option<Vec<u128>> {
        let num = self.rules.num(kind.elem);
        a?.iter().zip(b?).map(|(&a, &b)| arith::binary(op, num, a, b).ok()).collect()
    }

    /// A vector of a type.
    fn wide(&mut self, kind: Lanes, depth: u32) -> Made<Wide> {
        self.left -= 3;
        if depth == 0 || self.left <= 0 {
            return self.wide_leaf(kind);
        }
        let (shuffles, others) = (self.has(Feature::Shuffles), self.vars.vectors.len() > 1);
        match self.draw_of(Row::Vector, |at| match at {
            5 => shuffles,
            6 => others,
            _ => true,
        }) {
            Some(1) => self.wide_binary(kind, depth - 1),
            Some(2) => {
                let a = self.wide(kind, depth - 1)?;
                let num = self.rules.num(kind.elem);
                let defined = |op| {
                    let lanes = a.lanes.as_ref()?.iter().map(|&a| arith::unary(op, num, a).ok());
                    lanes.collect::<Option<Vec<u128>>>()
                };
                let op = if self.choices.chance("negated", 1, 2) { UnaryOp::Neg } else { UnaryOp::BitNot };
                let op = if self.is_signed(kind) && defined(op).is_none() { UnaryOp::BitNot } else { op };
                let lanes = defined(op);
                Ok(Wide { e: self.out.unary(op, a.e)?, lanes, scalar: false })
            }
            Some(3) => self.compared(kind, depth - 1),
            Some(4) => {
                // All ones where it holds, all zeros elsewhere.
                let mask = self.compared(kind, depth - 1)?;
                let value = self.wide(kind, depth - 1)?;
                let lanes =
                    self.lane_by_lane(BinaryOp::BitAnd, kind, mask.lanes.as_deref(), value.lanes.as_deref());
                Ok(Wide { e: self.out.binary(BinaryOp::BitAnd, mask.e, value.e)?, lanes, scalar: false })
            }
            Some(5) => self.shuffled(kind, depth - 1),
            Some(6) => self.of_other(kind),
            _ => self.wide_leaf(kind),
        }
    }

    fn wide_leaf(&mut self, kind: Lanes) -> Made<Wide> {
        let same: Vec<usize> = (0..self.vars.vectors.len())
            .filter(|&at| {
                let vector = &self.vars.vectors[at];
                vector.kind == kind && vector.category != Category::Output
            })
            .collect();
        if let Some(&at) = self.choices.pick("variable", &same)
            && self.choices.chance("read", 3, 4)
        {
            let e = self.out.lvalue(self.vars.vectors[at].object);
            return Ok(Wide { e, lanes: self.known_lanes(at), scalar: false });
        }
        let values = self.elements(kind.elem, kind.count);
        let list = Value::List(values.iter().map(|&bits| Value::Bits(bits)).collect());
        self.left -= i64::from(kind.count);
        Ok(Wide { e: self.out.compound_literal(kind.ty, &list)?, lanes: Some(values), scalar: false })
    }

    /// One number for all lanes.
    fn splat(&mut self, kind: Lanes) -> Made<Wide> {
        let node = self.drawn(1);
        let a = self.lower(node)?;
        let a = self.whole(a)?;
        let e = self.out.cast(kind.elem.declared(), a.e)?;
        let lanes = self.converted(a, kind.elem).map(|bits| vec![bits; kind.count as usize]);
        Ok(Wide { e, lanes, scalar: true })
    }

    fn every(&mut self, kind: Lanes, number: i128) -> Made<Wide> {
        let e = self.out.int(number)?;
        let e = self.out.cast(kind.elem.declared(), e)?;
        let bits = self.rules.num(kind.elem).bits(number);
        Ok(Wide { e, lanes: Some(vec![bits; kind.count as usize]), scalar: true })
    }

    fn joined(&mut self, op: BinaryOp, kind: Lanes, a: &Wide, b: &Wide) -> Made<Wide> {
        let lanes = self.lane_by_lane(op, kind, a.lanes.as_deref(), b.lanes.as_deref());
        let scalar = a.scalar && b.scalar;
        let mut e = self.out.binary(op, a.e, b.e)?;
        if scalar {
            // It was promoted, and no compiler spreads what does not fit.
            e = self.out.cast(kind.elem.declared(), e)?;
        }
        Ok(Wide { e, lanes, scalar })
    }

    fn wide_binary(&mut self, kind: Lanes, depth: u32) -> Made<Wide> {
        let a = self.wide(kind, depth)?;
        let spread = self.choices.chance("spread", 1, 3);
        let mut b = if spread { self.splat(kind)? } else { self.wide(kind, depth)? };
        let signed = self.is_signed(kind);
        let op = match self.binary_operator() {
            BinaryOp::And | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Eq => BinaryOp::BitAnd,
            BinaryOp::Or | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Ne => BinaryOp::BitOr,
            op => op,
        };
        match op {
            BinaryOp::Div | BinaryOp::Rem => {
                let known = self.lane_by_lane(op, kind, a.lanes.as_deref(), b.lanes.as_deref());
                if known.is_none() {
                    // Odd and small, so neither 0 nor -1.
                    let (most, one) = (self.every(kind, 7)?, self.every(kind, 1)?);
                    if signed {
                        b = self.joined(BinaryOp::BitAnd, kind, &b, &most)?;
                    }
                    b = self.joined(BinaryOp::BitOr, kind, &b, &one)?;
                }
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let width = i128::from(self.rules.num(kind.elem).width());
                let most = self.every(kind, width - 1)?;
                b = self.joined(BinaryOp::BitAnd, kind, &b, &most)?;
            }
            _ => {}
        }
        let plain = self.lane_by_lane(op, kind, a.lanes.as_deref(), b.lanes.as_deref());
        let wraps = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl);
        if !signed || !wraps || plain.is_some() {
            return self.joined(op, kind, &a, &b);
        }
        let wide = self.other_sign(kind, false)?;
        let x = self.out.cast(wide.ty, a.e)?;
        let y = self.out.cast(if spread { wide.elem.declared() } else { wide.ty }, b.e)?;
        let e = self.out.binary(op, x, y)?;
        let lanes = self.lane_by_lane(op, wide, a.lanes.as_deref(), b.lanes.as_deref());
        Ok(Wide { e: self.out.cast(kind.ty, e)?, lanes, scalar: false })
    }

    fn compared(&mut self, kind: Lanes, depth: u32) -> Made<Wide> {
        let (a, b) = (self.wide(kind, depth)?, self.wide(kind, depth)?);
        let op = *self.choices.one_of(
            "comparison",
            &[BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne],
        );
        let lanes = self.lane_by_lane(op, kind, a.lanes.as_deref(), b.lanes.as_deref());
        let ones = self.rules.num(kind.elem).bits(-1);
        let lanes = lanes.map(|all| all.into_iter().map(|truth| if truth == 0 { 0 } else { ones }).collect());
        let e = self.out.binary(op, a.e, b.e)?;
        // What compilers give it has not the same name everywhere.
        Ok(Wide { e: self.out.cast(kind.ty, e)?, lanes, scalar: false })
    }

    fn shuffled(&mut self, kind: Lanes, depth: u32) -> Made<Wide> {
        let (a, b) = (self.wide(kind, depth)?, self.wide(kind, depth)?);
        let both: Option<Vec<u128>> = match (&a.lanes, &b.lanes) {
            (Some(a), Some(b)) => Some(a.iter().chain(b).copied().collect()),
            _ => None,
        };
        let mut args = vec![a.e, b.e];
        let mut lanes = both.as_ref().map(|_| Vec::new());
        for _ in 0..kind.count {
            let at = self.choices.range("lane", 0..=2 * kind.count - 1);
            args.push(self.out.int(i128::from(at))?);
            if let (Some(lanes), Some(both)) = (&mut lanes, &both) {
                lanes.push(both[at as usize]);
            }
        }
        self.left -= i64::from(kind.count) * 2;
        Ok(Wide { e: self.out.operator("__builtin_shufflevector", &args)?, lanes, scalar: false })
    }

    /// Another vector: its elements converted if there are as many, its bits if it is as large.
    fn of_other(&mut self, kind: Lanes) -> Made<Wide> {
        let last = self.vars.vectors.len() - 1;
        let at = self.choices.range("other", 0..=last);
        let Vector { object, kind: other, category, .. } = self.vars.vectors[at];
        let size = |maker: &Self, kind: Lanes| maker.rules.num(kind.elem).width() * kind.count;
        if category == Category::Output || other == kind {
            return self.wide_leaf(kind);
        }
        if other.count == kind.count {
            let e = self.out.lvalue(object);
            let (from, to) = (self.rules.num(other.elem), self.rules.num(kind.elem));
            let lanes = self.known_lanes(at).map(|lanes| {
                lanes.into_iter().map(|bits| arith::convert(from, to, bits).unwrap_or(0)).collect()
            });
            return Ok(Wide { e: self.out.convert_vector(e, kind.ty)?, lanes, scalar: false });
        }
        if size(self, other) == size(self, kind) {
            let e = self.out.lvalue(object);
            return Ok(Wide { e: self.out.cast(kind.ty, e)?, lanes: None, scalar: false });
        }
        self.wide_leaf(kind)
    }
}
