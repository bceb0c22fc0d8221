//! Labels, `case` and `default`, and the parts of a function that jumps must not enter (C17 6.8.1, 6.8.4.2, 6.8.6.1).

use crate::parser::{LabelUse, Parse, Parser, Region, RegionKind};
use crate::token::Tok;
use howler_lang::build::{self, Purpose};
use howler_lang::fold;
use howler_lang::program::{ExprId, Label, LabelId, Stmt, StmtId, StmtKind};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;

impl Parser<'_> {
    /// A statement with labels before it, `id` being that of the first. A run of labels is read in a loop.
    pub(crate) fn labelled(&mut self, id: StmtId) -> Parse<StmtId> {
        let mut current = id;
        loop {
            let kind = self.one_label(current)?;
            // The statement after the label: another label stays in this loop.
            let more = match self.tok() {
                Tok::Ident => self.peek(1) == Tok::Colon,
                Tok::KwCase | Tok::KwDefault => true,
                _ => false,
            };
            let next = if more {
                let pos = self.pos();
                self.cx.program.stmts.push(Stmt { kind: StmtKind::Empty, pos })
            } else if self.tok() == Tok::RBrace || self.starts_declaration() {
                // Allowed by C23 and by gcc in all modes: the label marks an empty statement.
                let pos = self.pos();
                self.extension(pos, "label at end of compound statement or before a declaration");
                self.cx.program.stmts.push(Stmt { kind: StmtKind::Empty, pos })
            } else {
                self.chained(Self::statement)?
            };
            let kind = match kind {
                Some(StmtKind::Case { lo, hi, .. }) => StmtKind::Case { lo, hi, body: next },
                Some(StmtKind::Label(label, _)) => StmtKind::Label(label, next),
                Some(StmtKind::Default(_)) => StmtKind::Default(next),
                // The label was wrong and is left out; a block of one keeps the statement's place.
                _ => StmtKind::Compound(self.cx.program.add_block(&[next])),
            };
            self.fill(current, kind);
            if !more {
                return Ok(id);
            }
            current = next;
        }
    }

    /// One label with its colon; the body in the result is a stand-in. `None`: it was wrong, and reported.
    fn one_label(&mut self, stand_in: StmtId) -> Parse<Option<StmtKind>> {
        let pos = self.pos();
        match self.tok() {
            Tok::KwCase => {
                self.bump();
                self.case_label(pos, stand_in)
            }
            Tok::KwDefault => {
                self.bump();
                self.expect(Tok::Colon)?;
                let innermost = self.function.as_mut().and_then(|function| function.switches.last_mut());
                let Some(switch) = innermost else {
                    self.error(pos, "'default' label not within a switch statement");
                    return Ok(None);
                };
                if switch.default.replace(pos).is_some() {
                    self.error(pos, "multiple default labels in one switch");
                }
                self.check_switch_jump(pos);
                Ok(Some(StmtKind::Default(stand_in)))
            }
            _ => {
                let name = self.bump().symbol();
                self.expect(Tok::Colon)?;
                if self.tok() == Tok::KwAttribute {
                    self.dropped_attributes()?;
                }
                Ok(Some(StmtKind::Label(self.label_placed(name, pos), stand_in)))
            }
        }
    }

    /// What follows `case`: a constant or a range of them (GNU), and the colon.
    fn case_label(&mut self, pos: Pos, stand_in: StmtId) -> Parse<Option<StmtKind>> {
        const NOT_CONSTANT: &str = "case label does not reduce to an integer constant";
        let (lo, _) = self.constant_integer(NOT_CONSTANT)?;
        let hi = match self.eat(Tok::Ellipsis) {
            true => {
                self.extension(pos, "range expressions in switch statements are non-standard");
                Some(self.constant_integer(NOT_CONSTANT)?.0)
            }
            false => None,
        };
        self.expect(Tok::Colon)?;
        let Some(ty) = self.function.as_ref().and_then(|f| f.switches.last()).map(|switch| switch.ty) else {
            self.error(pos, "case label not within a switch statement");
            return Ok(None);
        };
        // 6.8.4.2p5: the constants are converted to the promoted type.
        let converted = |p: &mut Self, e: ExprId| -> Parse<(ExprId, i128)> {
            let built = build::convert_as_if_assigned(&mut p.cx, Purpose::Assign, e, ty, pos);
            let e = p.built(built)?;
            let value = fold::integer(p.cx.program, e).unwrap_or(0);
            Ok((e, value))
        };
        let (lo, first) = converted(self, lo)?;
        let (hi, last) = match hi {
            Some(hi) => {
                let (hi, last) = converted(self, hi)?;
                (Some(hi), last)
            }
            None => (None, first),
        };
        self.check_switch_jump(pos);
        if last < first {
            self.warning(pos, "empty range specified");
        } else if self.case_taken(first, last, pos) {
            self.error(pos, "duplicate case value");
        }
        Ok(Some(StmtKind::Case { lo, hi, body: stand_in }))
    }

    /// Notes a range of case values; whether one of them is there already (C17 6.8.4.2p3).
    fn case_taken(&mut self, first: i128, last: i128, pos: Pos) -> bool {
        let Some(switch) = self.function.as_mut().and_then(|function| function.switches.last_mut()) else {
            return false;
        };
        // Ranges do not overlap, so the one that begins last at or before `last` also ends last.
        let below = switch.cases.range(..=last).next_back();
        if below.is_some_and(|(_, &(end, _))| end >= first) {
            return true;
        }
        switch.cases.insert(first, (last, pos));
        false
    }

    /// `__label__ a, b;` at the start of a block (GNU C).
    pub(crate) fn label_declarations(&mut self) {
        let outer = self.local_labels();
        while self.tok() == Tok::KwLabel {
            self.extension(self.pos(), "ISO C forbids label declarations");
            self.bump();
            loop {
                let pos = self.pos();
                if self.tok() != Tok::Ident {
                    self.expected("identifier");
                    return;
                }
                let name = self.bump().symbol();
                let known = self.function.as_ref().is_some_and(|f| f.local_labels[outer..].contains(&name));
                if known {
                    let message = format!("duplicate label declaration '{}'", self.cx.program.name(name));
                    self.error(pos, message);
                }
                let label = self.cx.program.labels.push(Label { name, local: true, pos });
                if let Some(function) = &mut self.function {
                    function.labels.entry(name).or_default().push(LabelUse {
                        label,
                        placed: None,
                        used: false,
                    });
                    function.local_labels.push(name);
                }
                let id = self.cx.program.stmts.push(Stmt { kind: StmtKind::LabelDecl(label), pos });
                self.stmts.push(id);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            if self.expect(Tok::Semi).is_err() {
                return;
            }
        }
    }

    /// How many `__label__` names are visible; for [`leave_labels`](Self::leave_labels).
    pub(crate) fn local_labels(&self) -> usize {
        self.function.as_ref().map_or(0, |function| function.local_labels.len())
    }

    /// Ends the scope of `__label__` names beyond the first `count`.
    pub(crate) fn leave_labels(&mut self, count: usize) {
        while self.local_labels() > count {
            let Some(function) = &mut self.function else { return };
            let Some(name) = function.local_labels.pop() else { return };
            let entry = function.labels.get_mut(&name).and_then(Vec::pop);
            function.closed_labels.extend(entry.map(|label| (name, label)));
        }
    }

    /// The label `name` that a `goto` or `&&` mentions.
    pub(crate) fn label_used(&mut self, name: Symbol, pos: Pos) -> LabelId {
        // A label of an enclosing function is visible if `__label__` declares it.
        let mut cx = self.function.as_mut();
        let mut innermost = true;
        while let Some(function) = cx {
            if (innermost || function.local_labels.contains(&name))
                && let Some(found) = function.labels.get_mut(&name).and_then(|uses| uses.last_mut())
            {
                found.used = true;
                return found.label;
            }
            innermost = false;
            cx = function.outer.as_deref_mut();
        }
        let label = self.cx.program.labels.push(Label { name, local: false, pos });
        if let Some(function) = &mut self.function {
            function.labels.entry(name).or_default().push(LabelUse { label, placed: None, used: true });
        }
        label
    }

    /// The label `name` placed here.
    fn label_placed(&mut self, name: Symbol, pos: Pos) -> LabelId {
        let region = self.region();
        if let Some(function) = &mut self.function {
            let uses = function.labels.entry(name).or_default();
            if let Some(found) = uses.last_mut() {
                let label = found.label;
                if found.placed.is_some() {
                    let message = format!("duplicate label '{}'", self.cx.program.name(name));
                    self.error(pos, message);
                } else {
                    found.placed = Some((pos, region));
                }
                return label;
            }
            let label = self.cx.program.labels.push(Label { name, local: false, pos });
            uses.push(LabelUse { label, placed: Some((pos, region)), used: false });
            return label;
        }
        self.cx.program.labels.push(Label { name, local: false, pos })
    }

    /// Notes a `goto` to be checked when its label's place is known.
    pub(crate) fn record_jump(&mut self, label: LabelId, pos: Pos) {
        if let Some(function) = &mut self.function {
            function.jumps.push((label, function.region, pos));
        }
    }

    /// At the end of a function: every label used is placed, and no jump enters a region.
    pub(crate) fn check_labels(&mut self) {
        let Some(function) = &mut self.function else { return };
        let mut labels: Vec<(Symbol, LabelUse)> = function
            .labels
            .drain()
            .flat_map(|(name, uses)| uses.into_iter().map(move |each| (name, each)))
            .collect();
        labels.append(&mut function.closed_labels);
        // The map's order must not reach the messages.
        labels.sort_by_key(|(_, each)| each.label);
        let ends = region_ends(&function.regions);
        let mut jumps = std::mem::take(&mut function.jumps);
        jumps.sort_by_key(|&(label, _, _)| label);
        for (name, label) in labels {
            let from = jumps.partition_point(|&(target, _, _)| target < label.label);
            let to = jumps.partition_point(|&(target, _, _)| target <= label.label);
            self.check_label(name, label, &jumps[from..to], &ends);
        }
    }

    /// Checks a label and all jumps to it.
    fn check_label(
        &mut self,
        name: Symbol,
        label: LabelUse,
        jumps: &[(LabelId, Region, Pos)],
        ends: &[Region],
    ) {
        let Some((_, region)) = label.placed else {
            let name = self.cx.program.name(name);
            let pos = self.cx.program.labels[label.label].pos;
            if label.used {
                let message = format!("label '{name}' used but not defined");
                self.error(pos, message);
            } else {
                let message = format!("label '{name}' declared but not defined");
                self.warning(pos, message);
            }
            return;
        };
        let Some(function) = &self.function else { return };
        // The innermost region of the label is entered unless the jump starts in it.
        let Some(&(_, kind)) = (region as usize).checked_sub(1).and_then(|at| function.regions.get(at))
        else {
            return;
        };
        for &(_, from, pos) in jumps {
            if from < region || from > ends[region as usize] {
                self.error(pos, format!("jump into {}", describe(kind)));
            }
        }
    }

    /// The region around the current statement.
    pub(crate) fn region(&self) -> Region {
        self.function.as_ref().map_or(0, |function| function.region)
    }

    /// Opens a region inside the current one, which is returned.
    pub(crate) fn enter_region(&mut self, kind: RegionKind) -> Region {
        let Some(function) = &mut self.function else { return 0 };
        let before = function.region;
        function.regions.push((before, kind));
        function.region = function.regions.len() as Region;
        before
    }

    /// Closes regions until `region` is the current one.
    pub(crate) fn leave_region(&mut self, region: Region) {
        if let Some(function) = &mut self.function {
            function.region = region;
        }
    }

    /// Checks that a `case` or `default` here can be reached from its `switch`.
    fn check_switch_jump(&mut self, pos: Pos) {
        let Some(function) = &self.function else { return };
        let Some(switch) = function.switches.last() else { return };
        // The switch is around this label, and so are the regions it is in.
        if function.region != switch.region
            && let Some(&(_, kind)) = function.regions.get(function.region as usize - 1)
        {
            self.error(pos, format!("switch jumps into {}", describe(kind)));
        }
    }
}

/// The greatest number of a region inside each region: a region's number is greater than its parent's and less than
/// that of any opened after it was left.
fn region_ends(regions: &[(Region, RegionKind)]) -> Vec<Region> {
    let mut ends: Vec<Region> = (0..=regions.len() as Region).collect();
    for (at, &(parent, _)) in regions.iter().enumerate().rev() {
        ends[parent as usize] = ends[parent as usize].max(ends[at + 1]);
    }
    ends
}

fn describe(kind: RegionKind) -> &'static str {
    match kind {
        RegionKind::Variable(_) => "scope of identifier with variably modified type",
        RegionKind::StmtExpr => "statement expression",
    }
}
