//! The questions about declarations, and the C program that answers them.

use crate::generator::{Generator, keyword};
use howler_lang::layout::integers;
use howler_lang::symbol::Symbol;
use howler_lang::ty::{RecordId, Type};
use std::fmt::Write as _;

/// A question about one declaration.
#[derive(Clone, Debug)]
pub enum Query {
    /// `sizeof` of the type of this spelling.
    Size(String, Type),
    /// `_Alignof`.
    Align(String, Type),
    /// `__alignof__`.
    PreferredAlign(String, Type),
    /// `offsetof` of a member, maybe inside anonymous ones.
    Offset(RecordId, Symbol),
    /// The bits of a bit-field.
    Bits(RecordId, Symbol),
}

impl Generator {
    /// The declarations and a `main` that prints the answer to each question on a line.
    pub fn program(&self) -> String {
        let mut text = self.library_types();
        for (_, declaration) in &self.declarations {
            writeln!(text, "{declaration}").unwrap();
        }
        let mut main = String::new();
        for (index, query) in self.queries.iter().enumerate() {
            match query {
                Query::Size(name, _) => writeln!(main, "  {{ 0, sizeof({name}) }},"),
                Query::Align(name, _) => writeln!(main, "  {{ 0, _Alignof({name}) }},"),
                Query::PreferredAlign(name, _) => writeln!(main, "  {{ 0, __alignof__({name}) }},"),
                Query::Offset(record, name) => {
                    let (record, name) = (self.spelling(*record), self.symbols.name(*name));
                    writeln!(main, "  {{ 0, __builtin_offsetof({record}, {name}) }},")
                }
                Query::Bits(record, name) => {
                    let (record, name) = (self.spelling(*record), self.symbols.name(*name));
                    writeln!(text, "static const {record} o{index} = {{ .{name} = -1 }};").unwrap();
                    writeln!(main, "  {{ &o{index}, sizeof o{index} }},")
                }
            }
            .unwrap();
        }
        write!(
            text,
            "static const struct {{ const void *object; unsigned long value; }} table[] = {{\n{main}}};"
        )
        .unwrap();
        text.push_str(MAIN);
        text
    }

    fn spelling(&self, record: RecordId) -> String {
        let record = &self.types.records[record];
        let tag = record.tag.expect("questions are about records with a tag");
        format!("{} {}", keyword(record.kind), self.symbols.name(tag))
    }

    /// The declarations a question depends on, for people.
    pub fn text_of(&self, query: &Query) -> String {
        let subject = match query {
            Query::Size(name, _) | Query::Align(name, _) | Query::PreferredAlign(name, _) => name.clone(),
            Query::Offset(record, name) | Query::Bits(record, name) => {
                format!("{} {}", self.spelling(*record), self.symbols.name(*name))
            }
        };
        let mut lines = vec![subject];
        for (name, text) in self.declarations.iter().rev() {
            if lines.iter().any(|line| words(line).any(|word| word == name)) {
                lines.push(text.clone());
            }
        }
        lines.reverse();
        lines.join("\n")
    }

    /// Assertions that the library's types are what `layout` says.
    fn library_types(&self) -> String {
        let target = self.layouts.target();
        let named = [
            ("SIZE", integers::size_type(target)),
            ("UINTPTR", integers::size_type(target)),
            ("PTRDIFF", integers::ptrdiff_type(target)),
            ("INTPTR", integers::ptrdiff_type(target)),
            ("WCHAR", integers::wchar_type(target)),
            ("WINT", integers::wint_type(target)),
            ("CHAR16", integers::char16_type(target)),
            ("CHAR32", integers::char32_type(target)),
            ("INTMAX", integers::intmax_type(target)),
            ("UINTMAX", integers::uintmax_type(target)),
        ];
        let mut text = String::new();
        for (name, ty) in named {
            let ours = &self.basic.iter().find(|usable| usable.ty == ty).expect("it is a basic type").text;
            let same = format!("__builtin_types_compatible_p(__{name}_TYPE__, {ours})");
            writeln!(text, "_Static_assert({same}, \"{name}\");").unwrap();
        }
        text
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// A number is printed as it is, an object as the range and the number of its set bits.
const MAIN: &str = r#"
int main(void) {
  for (unsigned long i = 0; i < sizeof table / sizeof *table; i++) {
    const unsigned char *bytes = table[i].object;
    if (!bytes) {
      __builtin_printf("%lu\n", table[i].value);
      continue;
    }
    unsigned long first = ~0ul, end = 0, count = 0;
    for (unsigned long bit = 0; bit < table[i].value * 8; bit++)
      if (bytes[bit / 8] >> bit % 8 & 1) {
        if (first > bit) first = bit;
        end = bit + 1;
        count++;
      }
    __builtin_printf("%lu..%lu:%lu\n", first, end, count);
  }
  return 0;
}
"#;
