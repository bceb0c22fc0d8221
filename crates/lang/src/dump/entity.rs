//! Items and declarations, and the tables of what they declare.

use super::{Dumper, Step};
use crate::program::{Attr, AttrArg, Decl, Entity, FuncId, Item, ObjId};
use crate::ty::{EnumId, RecordId};

impl Dumper<'_> {
    /// An item; a function's body or an object's initialiser is pushed.
    pub(super) fn item(&mut self, item: Item) {
        match item {
            Item::RecordTag(id) => {
                self.out.push_str("(tag ");
                self.record(id);
                self.out.push(')');
            }
            Item::Record(id) => {
                self.out.push_str("(define ");
                self.record(id);
                self.out.push(')');
            }
            Item::Enum(id) => {
                let text = self.enum_text(id);
                self.fmt(format_args!("(define {text})"));
            }
            Item::Decl(id) => self.decl(&self.program.decls[id]),
            Item::Asm(text) => {
                self.out.push_str("(asm ");
                self.string(text);
                self.out.push(')');
            }
            Item::Include(header) => {
                self.out.push_str("(include ");
                self.quoted(self.program.name(header).as_bytes());
                self.out.push(')');
            }
            Item::IncludeEnd => self.out.push_str("(include-end)"),
        }
    }

    fn decl(&mut self, decl: &Decl) {
        self.out.push_str("(decl ");
        match decl.entity {
            Entity::Object(object) => self.object(object),
            Entity::Function(func) => self.func(func),
            Entity::Typedef(name) => self.fmt(format_args!("typedef {}", self.program.name(name))),
            Entity::Bounds => self.out.push_str("bounds"),
        }
        self.out.push(' ');
        self.ty(decl.ty);
        self.fmt(format_args!(" {:?}", decl.storage));
        self.flag(decl.thread, "thread");
        self.flag(decl.inline, "inline");
        self.flag(decl.noreturn, "noreturn");
        self.attributes(&decl.attrs, decl.align);
        if let Some(label) = decl.asm_label {
            self.out.push_str(" asm=");
            self.string(label);
        }
        self.stack.push(Step::Text(")"));
        if let Some(init) = decl.init {
            self.stack.extend([Step::Init(init), Step::Text(" = ")]);
        }
        if let (true, Entity::Function(func)) = (decl.body, decl.entity) {
            self.flag(true, "body");
            if let Some(body) = self.program.funcs[func].body {
                self.depth += 1;
                self.stack.pop();
                self.stack.extend([Step::EndStmt, Step::Stmt(body)]);
            }
        }
    }

    fn attributes(&mut self, attrs: &[Attr], align: u32) {
        if align != 0 {
            self.fmt(format_args!(" align={align}"));
        }
        for attr in attrs {
            self.out.push_str(" (attr ");
            self.name(attr.name);
            for arg in &attr.args {
                match arg {
                    AttrArg::Int(value) => self.fmt(format_args!(" {value}")),
                    AttrArg::Str(text) => {
                        self.out.push(' ');
                        self.quoted(text.as_bytes());
                    }
                    AttrArg::Ident(name) => {
                        self.out.push(' ');
                        self.name(*name);
                    }
                }
            }
            self.out.push(')');
        }
    }

    /// Every entity that was mentioned, in the order of its number. Writing one may mention more.
    pub(super) fn tables(&mut self) {
        let (mut objects, mut funcs, mut labels) = (0, 0, 0);
        let (mut vlas, mut records, mut enums) = (0, 0, 0);
        let mut long_types = 0;
        loop {
            if let Some(text) = self.long_types.get_mut(long_types) {
                long_types += 1;
                // Nothing asks for it again: its name is in `types`.
                let text = std::mem::take(text);
                self.line("(type ");
                self.fmt(format_args!("#{long_types} {text})"));
            } else if let Some(&id) = self.objects.order.get(objects) {
                objects += 1;
                self.object_entry(id);
            } else if let Some(&id) = self.funcs.order.get(funcs) {
                funcs += 1;
                self.func_entry(id);
            } else if let Some(&id) = self.vlas.order.get(vlas) {
                vlas += 1;
                self.line("(vla ");
                self.fmt(format_args!("#{vlas} "));
                self.now(Step::Expr(self.program.types.vlas[id]));
                self.out.push(')');
            } else if let Some(&id) = self.records.order.get(records) {
                records += 1;
                self.record_entry(id);
            } else if let Some(&id) = self.enums.order.get(enums) {
                enums += 1;
                self.enum_entry(id);
            } else if let Some(&id) = self.labels.order.get(labels) {
                labels += 1;
                self.line("(label ");
                self.label(id);
                self.flag(self.program.labels[id].local, "local");
                self.out.push(')');
            } else {
                return;
            }
        }
    }

    fn object_entry(&mut self, id: ObjId) {
        let object = &self.program.objects[id];
        self.line("(object ");
        self.object(id);
        self.out.push(' ');
        self.ty(object.ty);
        self.fmt(format_args!(" {:?} {:?} unit={}", object.linkage, object.duration, object.unit));
        self.flag(object.literal, "literal");
        self.flag(object.register, "register");
        self.flag(object.init.is_some(), "init");
        self.flag(object.defined, "defined");
        self.attributes(&object.attrs, object.align);
        if let Some(bound) = object.param_bound {
            self.out.push_str(if bound.at_least { " static " } else { " bound " });
            self.now(Step::Expr(bound.len));
        }
        if let Some(linked) = object.linked {
            self.flag(true, "linked ");
            self.object(linked);
        }
        self.out.push(')');
    }

    fn func_entry(&mut self, id: FuncId) {
        let function = &self.program.funcs[id];
        self.line("(function ");
        self.func(id);
        self.out.push(' ');
        self.ty(function.ty);
        self.fmt(format_args!(" {:?} unit={}", function.linkage, function.unit));
        self.flag(function.inline, "inline");
        self.flag(function.external_decl, "external_decl");
        self.flag(function.noreturn, "noreturn");
        self.flag(function.old_style, "old_style");
        self.flag(function.implicit, "implicit");
        self.flag(function.body.is_some(), "body");
        self.attributes(&function.attrs, 0);
        self.flag(true, "(");
        for (at, &param) in function.params.iter().enumerate() {
            if at > 0 {
                self.out.push(' ');
            }
            self.object(param);
        }
        self.out.push(')');
        if let Some(parent) = function.parent {
            self.flag(true, "parent ");
            self.func(parent);
        }
        if let Some(linked) = function.linked {
            self.flag(true, "linked ");
            self.func(linked);
        }
        self.out.push(')');
    }

    fn record_entry(&mut self, id: RecordId) {
        let record = &self.program.types.records[id];
        self.line("(record ");
        self.record(id);
        self.flag(record.complete, "complete");
        self.flag(record.packed, "packed");
        self.flag(record.transparent, "transparent");
        self.flag(record.may_alias, "may_alias");
        self.flag(record.va_list_tag, "va_list_tag");
        self.fmt(format_args!(" align={} pack={}", record.align, record.pack));
        self.depth += 1;
        for field in &record.fields {
            self.line("(field ");
            self.maybe_name(field.name);
            self.out.push(' ');
            self.ty(field.ty);
            if let Some(bits) = field.bits {
                self.fmt(format_args!(" bits={bits}"));
            }
            self.flag(field.packed, "packed");
            self.fmt(format_args!(" align={})", field.align));
        }
        self.depth -= 1;
        self.out.push(')');
    }

    fn enum_entry(&mut self, id: EnumId) {
        let enumeration = &self.program.types.enums[id];
        let text = self.enum_text(id);
        self.line(&text);
        self.out.pop();
        self.flag(enumeration.complete, "complete");
        self.flag(enumeration.packed, "packed");
        self.fmt(format_args!(" {:?}", enumeration.underlying));
        self.depth += 1;
        for &constant in &enumeration.constants {
            let constant = &self.program.types.enumerators[constant];
            self.line("(");
            self.name(constant.name);
            self.fmt(format_args!(" {} explicit={} ", constant.value, constant.explicit));
            self.ty(constant.ty);
            self.out.push(')');
        }
        self.depth -= 1;
        self.out.push(')');
    }
}
