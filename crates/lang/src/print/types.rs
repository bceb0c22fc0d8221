//! Type names and declarators: C's inside-out syntax, qualifiers at every level.

use super::place::Insertion;
use super::vla::Owner;
use super::{Piece, Printer, Referent};
use crate::program::{Entity, FuncId, ObjId, ParamBound};
use crate::symbol::Symbol;
use crate::target::Edition;
use crate::ty::{FloatKind, IntKind, Len, Quals, RecordKind, SignatureId, Type, TypeKind, Variant};
use crate::visit::{self, How, TypeName};
use rustc_hash::FxHashSet;

/// What stands in the middle of a declarator.
#[derive(Clone, Copy, Default)]
pub(super) struct Declared<'n> {
    /// The name; none in a type name.
    pub name: Option<&'n str>,
    /// What the name is declared to be.
    pub names: Option<Referent>,
    /// The function being defined: its parameters have names.
    pub func: Option<FuncId>,
    /// The outermost pointer was declared as an array with this bound.
    pub bound: Option<ParamBound>,
}

impl Printer<'_> {
    /// An abstract type name: `int (*)[3]`.
    pub(super) fn type_name(&mut self, ty: Type) {
        self.declare(ty, Declared::default());
    }

    /// Specifiers and declarator of one declaration.
    pub(super) fn declare(&mut self, ty: Type, declared: Declared<'_>) {
        let start = self.layers.len();
        let base = self.peel(ty);
        self.specifier(base);
        self.declarator(start, declared);
    }

    /// A parameter: as [`declare`](Self::declare), but a pointer may stand for `__builtin_va_list`.
    fn declare_param(&mut self, ty: Type, declared: Declared<'_>) {
        if self.is_decayed_va_list(ty) {
            self.specifier(ty);
            let start = self.layers.len();
            self.declarator(start, declared);
        } else {
            self.declare(ty, declared);
        }
    }

    /// Pushes the derivations of `ty` to `layers` and returns the type that specifiers can name.
    pub(super) fn peel(&mut self, mut ty: Type) -> Type {
        let types = &self.program.types;
        while types.variant(ty).is_none() && self.owner_of(ty).is_none() {
            let inner = match types.kind(ty) {
                TypeKind::Pointer(to) => to,
                TypeKind::Array { elem, .. } if !self.is_va_list(ty) => elem,
                TypeKind::Function(signature) => types.signature(signature).ret,
                _ => break,
            };
            self.layers.push(ty);
            ty = inner;
        }
        ty
    }

    /// Writes the declarator whose derivations are `layers[start..]`, and removes them.
    pub(super) fn declarator(&mut self, start: usize, declared: Declared<'_>) {
        let types = &self.program.types;
        let end = self.layers.len();
        let is_suffix =
            |ty: Option<&Type>| ty.is_some_and(|&ty| !matches!(types.kind(ty), TypeKind::Pointer(_)));
        let bounded = |at: usize| at == start && declared.bound.is_some();
        for at in (start..end).rev() {
            let ty = self.layers[at];
            if is_suffix(Some(&ty)) || bounded(at) {
                continue;
            }
            let parenthesised = is_suffix(self.layers[..end].get(at + 1));
            self.gap();
            self.out.push_str(if parenthesised { "(*" } else { "*" });
            if !ty.quals().is_empty() {
                self.quals(ty.quals());
                // The last qualifier's space comes back if a word follows.
                self.out.pop();
            }
        }
        if let Some(name) = declared.name {
            self.gap();
            self.declared_name(name, declared.names);
        }
        for at in start..end {
            let ty = self.layers[at];
            match types.kind(ty) {
                TypeKind::Pointer(_) if bounded(at) => self.param_bound(declared.bound, ty.quals()),
                TypeKind::Pointer(_) if is_suffix(self.layers[..end].get(at + 1)) => self.out.push(')'),
                TypeKind::Array { len, .. } => self.bound(len),
                TypeKind::Function(signature) => match declared.func {
                    Some(func) if at == start => self.definition_params(func, signature),
                    _ => self.params(signature),
                },
                _ => {}
            }
        }
        self.layers.truncate(start);
    }

    fn bound(&mut self, len: Len) {
        self.out.push('[');
        match len {
            Len::Unknown => {}
            Len::Fixed(len) => self.number(len),
            Len::Variable(vla) => {
                self.now(Piece::Expr(self.program.types.vlas[vla], super::expr::ASSIGN));
                self.evaluated.insert(vla);
            }
            Len::Star => self.out.push('*'),
        }
        self.out.push(']');
    }

    fn param_bound(&mut self, bound: Option<ParamBound>, quals: Quals) {
        let Some(bound) = bound else { return };
        self.out.push('[');
        if bound.at_least {
            self.out.push_str("static ");
        }
        self.quals(quals);
        self.now(Piece::Expr(bound.len, super::expr::ASSIGN));
        self.out.push(']');
    }

    /// The parameters of a function type.
    fn params(&mut self, id: SignatureId) {
        let signature = self.program.types.signature(id);
        self.out.push('(');
        for (at, &param) in signature.params.iter().enumerate() {
            if at > 0 {
                self.breakable(", ");
            }
            stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.declare_param(param, Declared::default()));
        }
        self.params_end(signature.params.is_empty(), id);
    }

    /// The parameters of the definition of `func`.
    fn definition_params(&mut self, func: FuncId, id: SignatureId) {
        let function = &self.program.funcs[func];
        self.out.push('(');
        for (at, &param) in function.params.iter().enumerate() {
            if at > 0 {
                self.breakable(", ");
            }
            match (function.old_style, self.program.objects[param].name) {
                (true, Some(name)) => self.named(name, Referent::Object(param), How::Declares),
                _ => self.param(param),
            }
        }
        if function.old_style {
            self.out.push(')');
        } else {
            self.params_end(function.params.is_empty(), id);
        }
    }

    fn params_end(&mut self, empty: bool, id: SignatureId) {
        let signature = self.program.types.signature(id);
        self.out.push_str(match (empty, signature.variadic) {
            (true, true) => "...)",
            (false, true) => ", ...)",
            (true, false) if signature.prototype => "void)",
            _ => ")",
        });
    }

    /// The declaration of a parameter in a definition.
    pub(super) fn param(&mut self, id: ObjId) {
        let object = &self.program.objects[id];
        if object.register {
            self.out.push_str("register ");
        }
        let declared = Declared {
            name: object.name.map(|name| self.program.name(name)),
            names: Some(Referent::Object(id)),
            func: None,
            bound: object.param_bound,
        };
        self.declare_param(object.ty, declared);
        self.attributes_after(&object.attrs, object.align);
        if object.name.is_some() {
            self.note_owner(object.ty, Owner::Object(id));
        }
    }

    /// The qualifiers, each with a space after it.
    fn quals(&mut self, quals: Quals) {
        let restrict =
            if self.program.target.std.edition < Edition::C99 { "__restrict " } else { "restrict " };
        for (flag, text) in [
            (Quals::CONST, "const "),
            (Quals::VOLATILE, "volatile "),
            (Quals::ATOMIC, "_Atomic "),
            (Quals::RESTRICT, restrict),
        ] {
            if quals.contains(flag) {
                self.gap();
                self.out.push_str(text);
            }
        }
    }

    /// What [`peel`](Self::peel) left over.
    pub(super) fn specifier(&mut self, ty: Type) {
        let program = self.program;
        let types = &program.types;
        if let Some(variant) = types.variant(ty) {
            self.variant(ty, *variant);
            return;
        }
        if let Some((owner, depth)) = self.owner_of(ty) {
            return self.owned_type(owner, depth);
        }
        if !matches!(types.kind(ty), TypeKind::Pointer(_)) {
            self.quals(ty.quals());
        }
        if let TypeKind::Record(_) | TypeKind::Enum(_) = types.kind(ty)
            && let Some(&name) = types.untagged.get(&ty.bare())
            && self.included.contains(&types.kind(ty))
        {
            return self.name(name);
        }
        match types.kind(ty) {
            TypeKind::Void => self.out.push_str("void"),
            TypeKind::Bool => self.out.push_str("_Bool"),
            TypeKind::Int(kind) => self.out.push_str(int_name(kind)),
            // Nothing is declared with a bit-field's own type, so only messages come here.
            TypeKind::Bits { width, signed } => {
                self.out.push_str(if signed { "int:" } else { "unsigned int:" });
                self.number(u64::from(width));
            }
            TypeKind::Float(kind) => self.out.push_str(float_name(kind)),
            TypeKind::Complex(elem) => {
                self.out.push_str("_Complex ");
                self.specifier(elem);
            }
            TypeKind::Vector { elem, lanes } => {
                self.specifier(elem);
                let size = program.size_of(elem).unwrap_or(1) * u64::from(lanes);
                self.out.push_str(" __attribute__((vector_size(");
                self.number(size);
                self.out.push_str(")))");
            }
            // `peel` stops at these two only where they are `__builtin_va_list`.
            TypeKind::Array { elem, .. } | TypeKind::Pointer(elem) => {
                self.quals(elem.quals());
                self.out.push_str("__builtin_va_list");
            }
            TypeKind::Record(id) => {
                let record = &program.types.records[id];
                if record.va_list_tag && !self.naming {
                    self.out.push_str("__typeof__(**(__builtin_va_list *)0)");
                    return;
                }
                self.out.push_str(record_keyword(record.kind));
                match record.tag {
                    Some(tag) => self.named(tag, Referent::Record(id), How::Names),
                    None if record.va_list_tag => self.out.push_str("__va_list_tag"),
                    None => self.out.push_str("<anonymous>"),
                }
            }
            TypeKind::Enum(id) => {
                self.out.push_str("enum ");
                self.named(types.enums[id].tag, Referent::Enum(id), How::Names);
            }
            TypeKind::Function(_) | TypeKind::Variant(_) => {}
        }
    }

    /// A typedef that carries something: by its own name, or by a helper typedef's.
    fn variant(&mut self, ty: Type, variant: Variant) {
        let types = &self.program.types;
        if let Some(name) = variant.name {
            let own = self.typedef_quals.get(&name).copied().unwrap_or_default();
            let array = matches!(types.kind(ty), TypeKind::Array { .. });
            let quals = if array { types.quals(variant.base).minus(own) } else { ty.quals() };
            self.quals(quals);
            self.named(name, Referent::Typedef(ty.bare()), How::Names);
            return;
        }
        if self.naming {
            self.quals(ty.quals());
            self.type_name(variant.base);
            return;
        }
        if !self.variants.contains_key(&ty.bare()) {
            self.declare_variant(ty.bare(), variant);
        }
        self.quals(ty.quals());
        self.out.push_str(&self.variants[&ty.bare()]);
    }

    /// Puts the helper typedef before the current top-level item, or, if its base names a tag of a block, behind
    /// that tag's declaration, whose scope covers all uses. Numbered by first use, so the same program gets the same
    /// names again.
    fn declare_variant(&mut self, ty: Type, variant: Variant) {
        let text = std::mem::take(&mut self.out);
        let names = self.names.as_mut().map(std::mem::take);
        let saved = (self.line_start, self.options.width);
        (self.line_start, self.options.width) = (0, 0);
        let start = self.layers.len();
        let base = self.peel(variant.base);
        // Helper typedefs of the base are declared here, so they get the lower numbers.
        self.specifier(base);
        let name = self.fresh_name();
        self.declarator(start, Declared { name: Some(&name), ..Declared::default() });
        self.variant_attributes(variant);
        self.out.push(';');
        (self.line_start, self.options.width) = saved;
        let typedef = std::mem::replace(&mut self.out, text);
        let mut names = std::mem::replace(&mut self.names, names).unwrap_or_default();
        let (at, before, after) = match self.block_place(variant.base) {
            Some((at, level)) => {
                let indent = level.min(super::MAX_LEVEL) * usize::from(self.options.indent);
                (at, format!("\n{:indent$}typedef ", ""), "")
            }
            None => (self.item_start, "typedef ".to_owned(), "\n"),
        };
        names.iter_mut().for_each(|place| place.shift(before.len() as u32));
        self.pending.push(Insertion { at, text: before + &typedef + after, names });
        self.variants.insert(ty, name);
    }

    /// `__attribute__((aligned(1), may_alias))` of a typedef.
    pub(super) fn variant_attributes(&mut self, variant: Variant) {
        if variant.align == 0 && !variant.may_alias {
            return;
        }
        self.out.push_str(" __attribute__((");
        if variant.align != 0 {
            self.out.push_str("aligned(");
            self.number(variant.align);
            self.out.push_str(if variant.may_alias { "), may_alias" } else { ")" });
        } else {
            self.out.push_str("may_alias");
        }
        self.out.push_str("))");
    }

    fn fresh_name(&mut self) -> String {
        let program = self.program;
        let unit = self.unit;
        let taken = self.taken.get_or_insert_with(|| {
            let mut taken: FxHashSet<Symbol> = FxHashSet::default();
            taken.extend(program.objects.iter().filter(|(_, o)| o.unit == unit).filter_map(|(_, o)| o.name));
            taken.extend(program.funcs.iter().filter(|(_, f)| f.unit == unit).map(|(_, f)| f.name));
            taken.extend(program.types.enumerators.iter().map(|(_, e)| e.name));
            taken.extend(program.decls.iter().filter_map(|(_, decl)| match decl.entity {
                Entity::Typedef(name) => Some(name),
                _ => None,
            }));
            taken
        });
        loop {
            self.last_variant += 1;
            let name = format!("howler_t{}", self.last_variant);
            if program.symbols.get(&name).is_none_or(|symbol| !taken.contains(&symbol)) {
                return name;
            }
        }
    }

    /// Where the last tag of a block that `ty` mentions was declared.
    fn block_place(&self, ty: Type) -> Option<(usize, usize)> {
        let mut place = None;
        visit::type_names(self.program, ty, |name| {
            let declared = match name {
                TypeName::Record(id) => self.block_records.get(&id),
                TypeName::Enum(id) => self.block_enums.get(&id),
                TypeName::Typedef(_) => None,
            };
            place = place.max(declared.copied());
        });
        place
    }

    fn is_va_list(&self, ty: Type) -> bool {
        match self.program.types.kind(ty) {
            TypeKind::Array { elem, len: Len::Fixed(1) } => self.is_va_list_tag(elem),
            _ => false,
        }
    }

    fn is_decayed_va_list(&self, ty: Type) -> bool {
        match self.program.types.kind(ty) {
            TypeKind::Pointer(to) => self.is_va_list_tag(to),
            _ => false,
        }
    }

    fn is_va_list_tag(&self, ty: Type) -> bool {
        match self.program.types.kind(ty) {
            TypeKind::Record(id) => self.program.types.records[id].va_list_tag,
            _ => false,
        }
    }
}

/// `struct ` or `union `.
pub(super) fn record_keyword(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Struct => "struct ",
        RecordKind::Union => "union ",
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LLong => "long long",
        IntKind::ULLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        // clang has no `_Float128` in C; gcc takes both spellings for one type.
        FloatKind::Float128 => "__float128",
        FloatKind::Float16 => "_Float16",
        FloatKind::Float32 => "_Float32",
        FloatKind::Float64 => "_Float64",
        FloatKind::Float32x => "_Float32x",
        FloatKind::Float64x => "_Float64x",
    }
}
