//! Programs that are made rather than read: declarations and statements around the expressions that `build` makes.
//!
//! A generator says what it wants; nobody has to know an arena. What breaks a constraint is refused where it is made, and
//! what only the whole can show (a `break` outside of loops, a name that means something else) by [`Composer::finish`].
//! How large things are, what is drawn and what it means are for the generator.

mod expr;
mod finish;
mod special;
mod stmt;
mod types;
mod value;

pub use stmt::{Arm, Head};
pub(crate) use types::vector;
pub use types::{Member, Shape};
pub use value::Value;

use crate::build::{self, Cx, Violation};
use crate::id::Id;
use crate::program::{
    Attr, Decl, DeclId, Duration, Entity, FuncId, Function, Init, Item, Linkage, ObjId, Object, Program,
    Stmt, StmtId, StmtKind, Storage, Unit,
};
use crate::scope::{self, Named, Tagged};
use crate::source::Pos;
use crate::target::Target;
use crate::ty::{Signature, Type, TypeKind};

/// What was made, or the constraint that it breaks.
pub type Composed<T> = Result<T, Box<Violation>>;

/// A program under construction. What is declared goes to the last unit.
///
/// ```
/// use howler_lang::compose::{Composer, Member, Shape, Value, signature};
/// use howler_lang::program::{BinaryOp, Linkage};
/// use howler_lang::target::Target;
/// use howler_lang::ty::{RecordKind, Type};
///
/// # fn main() -> Result<(), Box<howler_lang::build::Violation>> {
/// let mut c = Composer::new(Target::X86_64_GCC);
/// c.unit("a.c".to_owned());
/// let point = c.record(RecordKind::Struct, "point", &[Member::new("x", Type::INT), Member::bits("y", Type::INT, 5)])?;
/// let points = c.array(point, 3)?;
/// let value = Value::List(vec![Value::List(vec![Value::Int(1), Value::Int(-2)])]);
/// let p = c.global("p", points, Linkage::Internal, Some(&value))?;
/// let main = c.function("main", signature(Type::INT, &[]), Linkage::External)?;
/// let (sum, declared) = c.local("sum", Type::INT, Some(&Value::Int(0)))?;
/// let each = c.counted("i", Type::INT, 0..3, |c, i| {
///     let (p, i) = (c.lvalue(p), c.lvalue(i));
///     let element = c.index(p, i)?;
///     let y = c.member(element, "y")?;
///     let sum = c.lvalue(sum);
///     let add = c.compound_assign(BinaryOp::Add, sum, y)?;
///     Ok(vec![c.expr(add)?])
/// })?;
/// let sum = c.lvalue(sum);
/// let done = c.returns(main, Some(sum))?;
/// c.define(main, Vec::new(), &[declared, each, done])?;
/// let program = c.finish().unwrap();
/// let text = howler_lang::print::unit(&program, 0, &Default::default());
/// assert!(text.contains("static struct point p[3] = {{1, -2}};"));
/// assert!(text.contains("for (int i = 0; i < 3; i++)"));
/// # Ok(())
/// # }
/// ```
pub struct Composer {
    /// The program so far.
    pub program: Program,
    beside: Option<Beside>,
}

/// New code for a program that stays as it is.
struct Beside {
    /// The unit that the code is for.
    unit: u32,
    /// What it declares at file scope.
    items: Vec<Item>,
    /// How much the program had before.
    objects: usize,
    funcs: usize,
}

impl Composer {
    /// A program without units.
    pub fn new(target: Target) -> Composer {
        Composer::of(Program::new(target))
    }

    /// A program that is made further.
    pub fn of(program: Program) -> Composer {
        Composer { program, beside: None }
    }

    /// New code for a unit of a program, which itself stays as it is.
    pub(crate) fn beside(program: Program, unit: u32) -> Composer {
        let (objects, funcs) = (program.objects.len(), program.funcs.len());
        Composer { program, beside: Some(Beside { unit, items: Vec::new(), objects, funcs }) }
    }

    /// The program, and what was declared beside it.
    pub(crate) fn into_parts(self) -> (Program, Vec<Item>) {
        (self.program, self.beside.map_or(Vec::new(), |beside| beside.items))
    }

    /// Whether something was made by whoever composes now: what was there before does not change.
    fn is_own(&self, entity: Entity) -> bool {
        self.beside.as_ref().is_none_or(|beside| match entity {
            Entity::Object(object) => object.index() >= beside.objects,
            Entity::Function(func) => func.index() >= beside.funcs,
            Entity::Typedef(_) | Entity::Bounds => false,
        })
    }

    /// A name that starts with `prefix` and is nowhere in the program.
    pub fn fresh(&self, prefix: &str) -> String {
        self.program.fresh_name(prefix)
    }

    /// What a name means at the end of a unit.
    pub fn named(&self, unit: u32, name: &str) -> Option<Named> {
        scope::at_file_scope(&self.program, unit, name)
    }

    /// The struct, union or enumeration with a tag that a unit declares at file scope.
    pub fn tagged(&mut self, unit: u32, tag: &str) -> Option<Type> {
        let tagged = scope::tag_at_file_scope(&self.program, unit, tag)?;
        Some(match tagged {
            Tagged::Record(id) => self.program.types.record(id),
            Tagged::Enum(id) => self.program.types.enumeration(id),
        })
    }

    /// Begins a translation unit.
    pub fn unit(&mut self, name: String) {
        self.program.units.push(Unit { name, items: Vec::new() });
    }

    fn current(&self) -> u32 {
        if let Some(beside) = &self.beside {
            return beside.unit;
        }
        self.program.units.len().saturating_sub(1) as u32
    }

    /// What `build` needs, with the policy of those who make programs.
    pub fn cx(&mut self) -> Cx<'_> {
        Cx::strict(&mut self.program)
    }

    /// Adds an item to the unit.
    pub fn item(&mut self, item: Item) {
        if let Some(beside) = &mut self.beside {
            beside.items.push(item);
        } else if let Some(unit) = self.program.units.last_mut() {
            unit.items.push(item);
        }
    }

    /// An object with a name, not declared yet.
    pub fn object(&mut self, name: &str, ty: Type, linkage: Linkage, duration: Duration) -> ObjId {
        let name = Some(self.program.symbols.intern(name));
        let unit = self.current();
        self.program.objects.push(Object { name, linkage, duration, unit, ..Object::unnamed(ty) })
    }

    /// The declaration of an object, with its initialiser if it has one.
    pub fn declare(&mut self, object: ObjId, storage: Storage, init: Option<Init>) -> DeclId {
        let init = init.map(|init| self.program.inits.push(init));
        let defined = storage != Storage::Extern;
        let ty = self.program.objects[object].ty;
        let written = &mut self.program.objects[object];
        (written.init, written.defined) = (init, defined);
        let decl = Decl { init, ..Decl::plain(Entity::Object(object), ty, storage) };
        self.program.decls.push(decl)
    }

    /// Defines an object at file scope, external or internal.
    ///
    /// # Errors
    /// The type has no size, or the initialiser does not fit or is not constant.
    pub fn global(
        &mut self,
        name: &str,
        ty: Type,
        linkage: Linkage,
        value: Option<&Value>,
    ) -> Composed<ObjId> {
        let storage = match linkage {
            Linkage::External => Storage::None,
            Linkage::Internal => Storage::Static,
            Linkage::None => return refuse("an object at file scope has linkage"),
        };
        value.into_iter().for_each(|value| self.make_static(value));
        let (object, decl) = self.declared(name, ty, (linkage, Duration::Static, storage), value)?;
        self.item(Item::Decl(decl));
        Ok(object)
    }

    /// Declares an object that another unit defines.
    ///
    /// # Errors
    /// No object has such a type.
    pub fn external(&mut self, name: &str, ty: Type) -> Composed<ObjId> {
        if !self.program.types.is_complete(ty) {
            return refuse(format!("'{name}' has no size"));
        }
        let object = self.object(name, ty, Linkage::External, Duration::Static);
        let decl = self.declare(object, Storage::Extern, None);
        self.item(Item::Decl(decl));
        Ok(object)
    }

    /// Declares an object of the unit again, `extern`.
    pub fn declare_object(&mut self, object: ObjId) {
        let decl = Decl::plain(Entity::Object(object), self.program.objects[object].ty, Storage::Extern);
        let decl = self.program.decls.push(decl);
        self.item(Item::Decl(decl));
    }

    /// An automatic object and the statement that declares it.
    ///
    /// # Errors
    /// The type has no size, or the initialiser does not fit.
    pub fn local(&mut self, name: &str, ty: Type, value: Option<&Value>) -> Composed<(ObjId, StmtId)> {
        self.in_block(name, ty, (Linkage::None, Duration::Automatic, Storage::None), value)
    }

    /// An object of a block that lives for the whole run, and the statement that declares it.
    ///
    /// # Errors
    /// The type has no size, or the initialiser does not fit or is not constant.
    pub fn static_local(&mut self, name: &str, ty: Type, value: Option<&Value>) -> Composed<(ObjId, StmtId)> {
        self.in_block(name, ty, (Linkage::None, Duration::Static, Storage::Static), value)
    }

    /// An automatic object whose address nobody takes, and the statement that declares it.
    ///
    /// # Errors
    /// The type has no size, or the initialiser does not fit.
    pub fn register(&mut self, name: &str, ty: Type, value: Option<&Value>) -> Composed<(ObjId, StmtId)> {
        let made = self.in_block(name, ty, (Linkage::None, Duration::Automatic, Storage::Register), value)?;
        self.program.objects[made.0].register = true;
        Ok(made)
    }

    fn in_block(
        &mut self,
        name: &str,
        ty: Type,
        how: (Linkage, Duration, Storage),
        value: Option<&Value>,
    ) -> Composed<(ObjId, StmtId)> {
        let (object, decl) = self.declared(name, ty, how, value)?;
        Ok((object, self.stmt(StmtKind::Item(Item::Decl(decl)))))
    }

    fn declared(
        &mut self,
        name: &str,
        ty: Type,
        (linkage, duration, storage): (Linkage, Duration, Storage),
        value: Option<&Value>,
    ) -> Composed<(ObjId, DeclId)> {
        self.check_object(name, ty)?;
        let init =
            value.map(|value| self.initialiser(ty, value, duration == Duration::Static)).transpose()?;
        let object = self.object(name, ty, linkage, duration);
        Ok((object, self.declare(object, storage, init)))
    }

    /// Whether an object may have a type.
    fn check_object(&self, name: &str, ty: Type) -> Composed<()> {
        if !self.program.types.is_complete(ty) {
            return refuse(format!("storage size of '{name}' isn't known"));
        }
        let largest = build::largest_object(&self.program);
        let size = self.program.size_of(ty);
        // Only what a run finds out has no size here.
        if size.is_some_and(|size| size > largest) || size.is_none() && !self.program.types.is_vla(ty) {
            return refuse(format!("size of variable '{name}' is too large"));
        }
        Ok(())
    }

    /// A function without a body yet. Parameters that are arrays or functions are pointers (C17 6.7.6.3p7, p8), and
    /// qualifiers of parameters and of what is returned are not part of its type (p15).
    ///
    /// # Errors
    /// It returns what no function returns, or its type is unwieldy.
    pub fn function(&mut self, name: &str, signature: Signature, linkage: Linkage) -> Composed<FuncId> {
        if linkage == Linkage::None {
            return refuse(format!("a function has linkage: '{name}'"));
        }
        let mut params = Vec::with_capacity(signature.params.len());
        for &param in &signature.params {
            params.push(self.adjusted(param)?.bare());
        }
        let signature = Signature { ret: signature.ret.bare(), params: params.into(), ..signature };
        let ty = match build::function_returning(&mut self.program, signature) {
            Ok(ty) => ty,
            Err(bad) => return refuse(bad.message(&self.program, Some(name))),
        };
        let name = self.program.symbols.intern(name);
        let unit = self.current();
        Ok(self.program.funcs.push(Function::plain(name, ty, linkage, unit)))
    }

    /// The type of a parameter that is declared with a type.
    fn adjusted(&mut self, ty: Type) -> Composed<Type> {
        match self.program.types.kind(ty) {
            TypeKind::Array { elem, .. } => self.pointer(elem),
            TypeKind::Function(_) => self.pointer(ty),
            TypeKind::Void => refuse("a parameter has a type"),
            _ => Ok(ty),
        }
    }

    /// Declares a function in the unit: its prototype.
    pub fn declare_function(&mut self, func: FuncId) {
        let decl = self.declaration_of(func);
        let decl = self.program.decls.push(decl);
        self.item(Item::Decl(decl));
    }

    fn declaration_of(&self, func: FuncId) -> Decl {
        let function = &self.program.funcs[func];
        let storage = if function.linkage == Linkage::Internal { Storage::Static } else { Storage::None };
        let inline = function.inline;
        Decl { inline, ..Decl::plain(Entity::Function(func), function.ty, storage) }
    }

    /// Makes a function `inline`. One with external linkage has a definition elsewhere, or is called by nobody (C17
    /// 6.7.4p7): internal ones need nothing more. What an edit's seed declares stays what it is.
    pub fn make_inline(&mut self, func: FuncId) {
        if !self.is_own(Entity::Function(func)) {
            return;
        }
        let function = &mut self.program.funcs[func];
        (function.inline, function.external_decl) = (true, false);
    }

    /// A parameter for [`Composer::define`].
    pub fn param(&mut self, name: &str, ty: Type) -> ObjId {
        self.object(name, ty, Linkage::None, Duration::Parameter)
    }

    /// Gives a function its parameters and its body, and defines it in the unit.
    ///
    /// # Errors
    /// It has a body already, or the parameters are not those of its type.
    pub fn define(&mut self, func: FuncId, params: Vec<ObjId>, body: &[StmtId]) -> Composed<()> {
        self.check_definition(func, &params)?;
        let body = self.block(body);
        let decl = Decl { body: true, ..self.declaration_of(func) };
        let function = &mut self.program.funcs[func];
        (function.params, function.body) = (params, Some(body));
        let decl = self.program.decls.push(decl);
        self.item(Item::Decl(decl));
        Ok(())
    }

    fn check_definition(&self, func: FuncId, params: &[ObjId]) -> Composed<()> {
        let (program, function) = (&self.program, &self.program.funcs[func]);
        let name = program.name(function.name);
        let TypeKind::Function(signature) = program.types.kind(function.ty) else {
            return refuse(format!("'{name}' is no function"));
        };
        let signature = program.types.signature(signature);
        if function.body.is_some() {
            return refuse(format!("redefinition of '{name}'"));
        }
        if function.unit != self.current() || !self.is_own(Entity::Function(func)) {
            return refuse(format!("'{name}' belongs to another unit, or to the program that is edited"));
        }
        // C17 6.9.1p3: what it returns is `void` or has a size.
        if !program.types.is_void(signature.ret) && !program.types.is_complete(signature.ret) {
            return refuse(format!("return type of '{name}' is an incomplete type"));
        }
        let declared = params.iter().map(|&param| program.objects[param].ty);
        if params.len() != signature.params.len()
            || !declared.clone().map(Type::bare).eq(signature.params.iter().copied())
        {
            return refuse(format!("parameters of '{name}' are not those of its type"));
        }
        // C17 6.7.6.3p4, 6.9.1p7.
        match declared.zip(params).find(|&(ty, _)| !program.types.is_complete(ty)) {
            Some((_, &param)) => {
                let name = program.objects[param].name.map_or("", |name| program.name(name));
                refuse(format!("parameter '{name}' has incomplete type"))
            }
            None => Ok(()),
        }
    }

    /// An attribute without arguments that promises nothing, at the last declaration of an object or a function.
    ///
    /// # Errors
    /// It is not declared yet, or the attribute promises something.
    pub fn attribute(&mut self, entity: Entity, name: &str) -> Composed<()> {
        if !ATTRIBUTES.contains(&name) {
            return refuse(format!("'{name}' is none of {}", ATTRIBUTES.join(", ")));
        }
        let attr = Attr { name: self.program.symbols.intern(name), args: Vec::new() };
        self.declaration(entity)?.attrs.push(attr.clone());
        match entity {
            Entity::Object(object) => self.program.objects[object].attrs.push(attr),
            Entity::Function(func) => self.program.funcs[func].attrs.push(attr),
            Entity::Typedef(_) | Entity::Bounds => {}
        }
        Ok(())
    }

    /// `__attribute__((aligned(n)))` at the last declaration of an object.
    ///
    /// # Errors
    /// It is not declared yet, or the alignment is no power of two.
    pub fn align(&mut self, object: ObjId, align: u32) -> Composed<()> {
        if !types::good_align(align) {
            return refuse("alignment is not a small power of 2");
        }
        self.declaration(Entity::Object(object))?.align = align;
        self.program.objects[object].align = align;
        Ok(())
    }

    /// The last declaration of something: who asks has just made it.
    fn declaration(&mut self, entity: Entity) -> Composed<&mut Decl> {
        if !self.is_own(entity) {
            return refuse("it belongs to the program that is edited");
        }
        let mut decls = (0..self.program.decls.len()).rev().map(DeclId::from_index);
        match decls.find(|&decl| self.program.decls[decl].entity == entity) {
            Some(decl) => Ok(&mut self.program.decls[decl]),
            None => refuse("attributes stand at a declaration"),
        }
    }

    /// A statement of any kind: nothing is checked but what `finish` sees.
    pub fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.program.stmts.push(Stmt { kind, pos: Pos::NONE })
    }
}

/// Attributes that change how a program is compiled and not what it means.
pub const ATTRIBUTES: [&str; 8] =
    ["cold", "flatten", "hot", "noclone", "noinline", "noipa", "unused", "used"];

/// A function type that is not variadic.
pub fn signature(ret: Type, params: &[Type]) -> Signature {
    Signature { ret, params: params.into(), variadic: false, prototype: true }
}

/// A constraint that is broken nowhere in a text.
fn refuse<T>(message: impl Into<String>) -> Composed<T> {
    Err(Box::new(Violation { pos: Pos::NONE, message: message.into() }))
}
