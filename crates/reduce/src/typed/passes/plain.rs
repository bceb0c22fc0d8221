//! Declarations with as few words as there can be.

use howler_lang::edit::{Redeclaration, Refused};
use howler_lang::program::{Entity, Linkage, Program};
use howler_lang::ty::Quals;
use howler_lang::visit::Uses;

use crate::typed::stand_in::Nothing;
use crate::typed::{At, Pass, Site, Subject, together};

/// Takes the words away.
pub struct Plain;

/// Storage classes, attributes, alignments, `inline`.
const WORDS: u32 = 0;
/// The initialiser, and the words.
const INIT: u32 = 1;
/// A qualifier, everywhere.
const QUALIFIER: u32 = 2;

const QUALIFIERS: [Quals; 4] = [Quals::VOLATILE, Quals::CONST, Quals::RESTRICT, Quals::ATOMIC];

impl Pass for Plain {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn about(&self) -> &'static str {
        "initialisers, qualifiers, storage classes and attributes go"
    }

    fn sites(&self, subject: &Subject) -> Vec<Site> {
        let program = subject.program();
        let uses = Uses::of(program);
        let mut sites = Vec::new();
        for number in 0..QUALIFIERS.len() as u32 {
            sites.push(Site { choice: QUALIFIER, number, ..Site::new(4, At::Program) });
        }
        for (id, object) in program.objects.iter() {
            if uses.of_object(id).is_empty() || object.literal {
                continue;
            }
            if object.init.is_some() {
                sites.push(Site { choice: INIT, ..Site::new(3, At::Object(id)) });
            }
        }
        for (id, object) in program.objects.iter() {
            let words = !object.attrs.is_empty()
                || object.align != 0
                || object.register
                || object.linkage == Linkage::Internal;
            if words && !uses.of_object(id).is_empty() && !object.literal {
                sites.push(Site { choice: WORDS, ..Site::new(1, At::Object(id)) });
            }
        }
        for (id, function) in program.funcs.iter() {
            let words = !function.attrs.is_empty()
                || function.inline
                || function.noreturn
                || function.linkage == Linkage::Internal;
            if words && !uses.of_function(id).is_empty() && !function.implicit {
                sites.push(Site { choice: WORDS, ..Site::new(1, At::Function(id)) });
            }
        }
        sites
    }

    fn apply_all(&self, subject: &Subject, sites: &[Site]) -> Option<Program> {
        together(subject, sites, |change, site| match site.at {
            At::Object(object) => change.declare_plainly(Entity::Object(object), site.choice == WORDS),
            At::Function(func) => change.declare_plainly(Entity::Function(func), true),
            At::Program => {
                let Some(&quals) = QUALIFIERS.get(site.number as usize) else {
                    return Err(Refused::Place("there is no such qualifier"));
                };
                change.redeclare(&Redeclaration { quals, ..Redeclaration::default() }, &mut Nothing)
            }
            _ => Ok(()),
        })
    }
}
