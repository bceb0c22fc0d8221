//! A table of options in words: help for terminals, tables for documents. Nothing is read here.

use std::fmt::Write;

use super::{Kind, Member, Table};

impl Table {
    /// A line or two for each option, for terminals.
    pub fn help(self) -> String {
        let mut text = String::new();
        for option in self.0 {
            let (limits, default) = (option.kind.limits(), option.kind.default_text());
            let (left, right) = match option.kind {
                Kind::Set { .. } => ("NAME,…", format!(", besides {default}")),
                _ => (default.as_str(), limits),
            };
            let _ = writeln!(text, "  {:24} {}{right}", format!("{}={left}", option.key), option.help);
            if let Kind::Word { words, .. } = option.kind {
                for (word, help) in words {
                    let _ = writeln!(text, "  {:24}   {word}: {help}", "");
                }
            }
            if let Kind::Set { without, only, members } = option.kind {
                let names: Vec<&str> = members.iter().map(|member| member.name).collect();
                for some in names.chunks(11) {
                    let _ = writeln!(text, "  {:24}   {}", "", some.join(" "));
                }
                let _ = writeln!(text, "  {:24} all but these", format!("{without}=NAME,…"));
                let _ = writeln!(text, "  {:24} nothing but these", format!("{only}=NAME,…"));
            }
        }
        text
    }

    /// The table for documents, in Markdown.
    pub fn markdown(self) -> String {
        let mut text = "| option | default | takes | what it is |\n|---|---|---|---|\n".to_owned();
        for option in self.0 {
            let key = match option.kind {
                Kind::Set { without, only, .. } => format!("`{}`, `{without}`, `{only}`", option.key),
                _ => format!("`{}`", option.key),
            };
            let (default, takes) = (option.kind.default_text(), option.kind.takes());
            let default = if option.kind.without().is_some() { default } else { format!("`{default}`") };
            let _ = writeln!(text, "| {key} | {default} | {takes} | {} |", option.help);
        }
        for option in self.0 {
            let rows: Vec<(String, &str)> = match option.kind {
                Kind::Word { words, .. } => {
                    words.iter().map(|(word, help)| (format!("`{word}`"), *help)).collect()
                }
                Kind::Set { members, .. } => {
                    let off = |member: &Member| if member.default { "" } else { " (not by default)" };
                    members.iter().map(|one| (format!("`{}`{}", one.name, off(one)), one.help)).collect()
                }
                _ => continue,
            };
            let _ = writeln!(text, "\n| `{}` | |\n|---|---|", option.key);
            for (name, help) in rows {
                let _ = writeln!(text, "| {name} | {help} |");
            }
        }
        text
    }
}

impl Kind {
    /// The default as it is written; of a set, in words.
    pub fn default_text(self) -> String {
        match (self, self.default()) {
            (Kind::Set { members, .. }, _) => {
                let off = members.iter().filter(|member| !member.default);
                let off: Vec<&str> = off.map(|member| member.name).collect();
                if off.is_empty() { "all".to_owned() } else { format!("all but {}", off.join(", ")) }
            }
            (_, value) => value.text(),
        }
    }

    /// What stands for the value in a usage line.
    pub fn placeholder(self) -> &'static str {
        match self {
            Kind::Number { .. } => "N",
            Kind::Range { .. } => "LOW..HIGH",
            Kind::Flag { .. } => "yes|no",
            Kind::Word { .. } => "WORD",
            Kind::Weights { .. } => "ROW.ITEM=N+…",
            Kind::Set { .. } => "NAME,…",
        }
    }

    /// What it takes, in a few words.
    pub fn takes(self) -> String {
        match self {
            Kind::Number { limits: (least, most), .. } => format!("{least} to {most}"),
            Kind::Range { limits: (least, most), .. } => format!("a range within {least}..{most}"),
            Kind::Flag { .. } => "yes or no".to_owned(),
            Kind::Word { words, .. } => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                words.join(" or ")
            }
            Kind::Weights { .. } => "`row.item=n` with `+` between".to_owned(),
            Kind::Set { .. } => "names, with commas: added, taken out, or all there is".to_owned(),
        }
    }

    /// The limits of numbers, for the end of a line of help.
    fn limits(self) -> String {
        match self {
            Kind::Number { limits: (least, most), .. } | Kind::Range { limits: (least, most), .. } => {
                format!(" ({least} to {most})")
            }
            Kind::Flag { .. } | Kind::Word { .. } | Kind::Weights { .. } | Kind::Set { .. } => String::new(),
        }
    }
}
