//! Types all over the program: members go, unions become structs, structs their only member, numbers `int`.

use howler_lang::build::{Built, Cx};
use howler_lang::edit::{Now, Redeclaration, Refused, Remaking};
use howler_lang::program::{Conv, ExprId, ExprKind, Program, UnaryOp};
use howler_lang::ty::{RecordId, RecordKind, Type, TypeKind};
use howler_lang::visit::{self, Mention, Node, Uses};
use rustc_hash::FxHashSet;

use crate::typed::stand_in::Nothing;
use crate::typed::{At, Pass, Site, Subject, together};

/// Makes them simpler.
pub struct TypesPass;

/// The n-th member goes.
const MEMBER: u32 = 0;
/// The n-th member stands for the whole.
const ONLY: u32 = 1;
/// A union is a struct.
const STRUCT: u32 = 2;
/// The n-th of the basic types is `int`.
const INT: u32 = 3;
/// An enumeration is `int`.
const ENUM: u32 = 4;
/// The n-th member is one of its elements.
const ELEMENT: u32 = 5;
/// The n-th member is an `int`, and no bit-field.
const PLAIN: u32 = 6;

const BASIC: [Type; 15] = [
    Type::BOOL,
    Type::CHAR,
    Type::SCHAR,
    Type::UCHAR,
    Type::SHORT,
    Type::USHORT,
    Type::UINT,
    Type::LONG,
    Type::ULONG,
    Type::LLONG,
    Type::ULLONG,
    Type::INT128,
    Type::UINT128,
    Type::FLOAT,
    Type::DOUBLE,
];

impl Pass for TypesPass {
    fn name(&self) -> &'static str {
        "types"
    }

    fn about(&self) -> &'static str {
        "members go, structs become a member, unions structs, numbers int"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let uses = Uses::of(program);
        let mut sites = Vec::new();
        let named = members(program);
        for (id, record) in program.types.records.iter() {
            if uses.of_record(id).is_empty() || !record.complete {
                continue;
            }
            for (number, field) in record.fields.iter().enumerate() {
                if field.name.is_none_or(|_| !named.contains(&(id, number as u32))) {
                    sites.push(Site { number: number as u32, ..Site::new(3, At::Record(id)) });
                }
                let site = Site { number: number as u32, ..Site::new(2, At::Record(id)) };
                match program.types.kind(field.ty) {
                    _ if field.name.is_none() => {}
                    TypeKind::Array { .. } => sites.push(Site { choice: ELEMENT, ..site }),
                    TypeKind::Int(_) | TypeKind::Bool | TypeKind::Enum(_) | TypeKind::Float(_)
                        if field.ty != Type::INT || field.bits.is_some() =>
                    {
                        sites.push(Site { choice: PLAIN, ..site });
                    }
                    _ => {}
                }
                let site = Site::new(8, At::Record(id));
                sites.push(Site { choice: ONLY, number: number as u32, ..site });
            }
            if record.kind == RecordKind::Union {
                sites.push(Site { choice: STRUCT, ..Site::new(1, At::Record(id)) });
            }
        }
        for (id, _) in program.types.enums.iter() {
            if !uses.of_enum(id).is_empty() {
                sites.push(Site { choice: ENUM, ..Site::new(1, At::Enum(id)) });
            }
        }
        let basic = written_types(program);
        for (number, ty) in BASIC.iter().enumerate() {
            if basic.contains(ty) {
                let site = Site::new(1, At::Program);
                sites.push(Site { choice: INT, number: number as u32, ..site });
            }
        }
        // Members keep their numbers as long as those behind them go first.
        sites.sort_by_key(|site| (site.choice, std::cmp::Reverse(site.number)));
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| {
            let program = change.program();
            let number = site.number as usize;
            let mut what = Redeclaration::default();
            match (site.at, site.choice) {
                (At::Record(id), MEMBER) => drop(what.members.insert(id, vec![number])),
                (At::Record(id), STRUCT) => drop(what.structs.insert(id)),
                (At::Record(id), ELEMENT) => {
                    let Some(TypeKind::Array { elem, .. }) = field_kind(program, id, number) else {
                        return Err(Refused::Place("there is no such member"));
                    };
                    what.fields.insert((id, number), elem);
                    return change.redeclare(&what, &mut Elements { id, number: site.number });
                }
                (At::Record(id), PLAIN) => drop(what.fields.insert((id, number), Type::INT)),
                (At::Record(id), ONLY) => {
                    let field = program.types.records[id].fields.get(number);
                    let Some(ty) = field.filter(|field| field.name.is_some()).map(|field| field.ty) else {
                        return Err(Refused::Place("there is no such member"));
                    };
                    let Some(whole) = program.types.known(TypeKind::Record(id)) else { return Ok(()) };
                    what.types.insert(whole, ty);
                    return change.redeclare(&what, &mut OnlyMember { id, number: site.number });
                }
                (At::Enum(id), _) => {
                    let Some(whole) = program.types.known(TypeKind::Enum(id)) else { return Ok(()) };
                    what.types.insert(whole, Type::INT);
                }
                (At::Program, _) => {
                    let Some(&ty) = BASIC.get(number) else {
                        return Err(Refused::Place("there is no such type"));
                    };
                    what.types.insert(ty, Type::INT);
                }
                _ => return Ok(()),
            }
            change.redeclare(&what, &mut Nothing)
        })
    }
}

/// A member stands for the struct or union that has it.
struct OnlyMember {
    id: RecordId,
    number: u32,
}

impl Remaking for OnlyMember {
    fn wants(&self, program: &Program, e: ExprId) -> bool {
        match program.exprs[e].kind {
            ExprKind::Member { base, field } => {
                field == self.number && program.types.as_record(program.ty(base)) == Some(self.id)
            }
            _ => false,
        }
    }

    fn make(&mut self, cx: &mut Cx<'_>, e: ExprId, now: &Now) -> Option<Built> {
        match cx.program.exprs[e].kind {
            ExprKind::Member { base, .. } => Some(Ok(now.operand(cx.program, base))),
            _ => None,
        }
    }

    fn keeps(&self) -> bool {
        false
    }
}

fn field_kind(program: &Program, id: RecordId, number: usize) -> Option<TypeKind> {
    let field = program.types.records[id].fields.get(number)?;
    Some(program.types.kind(field.ty))
}

/// A member stands for its elements.
struct Elements {
    id: RecordId,
    number: u32,
}

impl Elements {
    /// The member whose element an expression is.
    fn member(&self, program: &Program, e: ExprId) -> Option<ExprId> {
        let (ExprKind::Index { base, .. } | ExprKind::Unary(UnaryOp::Deref, base)) = program.exprs[e].kind
        else {
            return None;
        };
        let ExprKind::Convert(Conv::ArrayDecay, member) = program.exprs[base].kind else { return None };
        let only = OnlyMember { id: self.id, number: self.number };
        only.wants(program, member).then_some(member)
    }
}

impl Remaking for Elements {
    fn wants(&self, program: &Program, e: ExprId) -> bool {
        self.member(program, e).is_some()
    }

    fn make(&mut self, cx: &mut Cx<'_>, e: ExprId, now: &Now) -> Option<Built> {
        let member = self.member(cx.program, e)?;
        Some(Ok(now.operand(cx.program, member)))
    }

    fn keeps(&self) -> bool {
        false
    }
}

/// The members that expressions name.
fn members(program: &Program) -> FxHashSet<(RecordId, u32)> {
    let mut named = FxHashSet::default();
    visit::each(program, |part| {
        if let Node::Expr(e) = part.node
            && let ExprKind::Member { base, field } = program.exprs[e].kind
            && let Some(record) = program.types.as_record(program.ty(base))
        {
            named.insert((record, field));
        }
    });
    named
}

/// The types that are written somewhere, and those that they are made of.
fn written_types(program: &Program) -> FxHashSet<Type> {
    let mut found = FxHashSet::default();
    let mut open: Vec<Type> = Vec::new();
    let mut note = |mention: Mention| {
        if let Mention::Type(ty) = mention {
            open.push(ty);
        }
    };
    for item in program.units.iter().flat_map(|unit| &unit.items) {
        visit::item_mentions(program, *item, &mut note);
    }
    visit::each(program, |part| visit::mentions(program, part.node, &mut note));
    let types = &program.types;
    while let Some(ty) = open.pop() {
        if !found.insert(ty.bare()) {
            continue;
        }
        match types.kind(ty) {
            TypeKind::Pointer(to) => open.push(to),
            TypeKind::Array { elem, .. } => open.push(elem),
            TypeKind::Function(signature) => {
                let signature = types.signature(signature);
                open.push(signature.ret);
                open.extend(signature.params.iter().copied());
            }
            _ => {}
        }
    }
    found
}
