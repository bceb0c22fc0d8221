//! The live screen of a hunt: a pure function of its status.

use howler_campaign::status::Status;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Cell, Paragraph, Row, Table};

/// Draws everything.
pub fn draw(frame: &mut Frame<'_>, status: &Status) {
    let arms = u16::try_from(status.arms.len()).unwrap_or(u16::MAX).clamp(1, 8);
    let compilers = u16::try_from(status.compilers.len()).unwrap_or(u16::MAX).clamp(1, 12);
    let [head, tables, found, foot] = Layout::vertical([
        Constraint::Length(3),
        Constraint::Length(arms.max(compilers) + 3),
        Constraint::Min(4),
        Constraint::Length(u16::try_from(status.troubles.len()).unwrap_or(u16::MAX).min(3) + 1),
    ])
    .areas(frame.area());
    let [left, right] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Fill(1)]).spacing(2).areas(tables);
    draw_head(frame, head, status);
    draw_arms(frame, left, status);
    draw_compilers(frame, right, status);
    draw_found(frame, found, status);
    draw_foot(frame, foot, status);
}

fn draw_head(frame: &mut Frame<'_>, area: Rect, status: &Status) {
    let until = match (status.time, status.tests) {
        (Some(time), _) => format!(" of {}", span(time)),
        (None, Some(tests)) => format!(", until {tests} tests each"),
        (None, None) => String::new(),
    };
    let rate: f64 = status.arms.keys().map(|arm| status.rate(arm)).sum();
    let cpu = &status.cpu;
    let part = |seconds: f64| if cpu.total() > 0.0 { 100.0 * seconds / cpu.total() } else { 0.0 };
    let new =
        status.since_new().map_or("nothing new yet".to_owned(), |ago| format!("last new {} ago", span(ago)));
    let lines = vec![
        Line::from(vec![
            Span::styled("howler hunt ", Style::new().add_modifier(Modifier::BOLD)),
            Span::raw(format!("{}  {}{until}", status.folder, span(status.elapsed))),
        ]),
        Line::from(vec![
            Span::raw(format!("{} tests, {rate:.1}/s  ", status.tests_done())),
            Span::styled(counted(status.findings().count(), "finding"), finding_style(status)),
            Span::raw(format!(", {new}")),
        ]),
        Line::from(format!(
            "time: compilers {:.0} %, programs {:.0} %, generators {:.0} %, howler {:.1} %",
            part(cpu.compilers),
            part(cpu.programs),
            part(cpu.generators),
            part(cpu.howler)
        )),
    ];
    frame.render_widget(Paragraph::new(lines), area);
}

fn finding_style(status: &Status) -> Style {
    if status.findings().next().is_some() {
        Style::new().fg(Color::Red).add_modifier(Modifier::BOLD)
    } else {
        Style::new()
    }
}

fn draw_arms(frame: &mut Frame<'_>, area: Rect, status: &Status) {
    let rows = status.arms.iter().map(|(name, arm)| {
        let defined = (100 * arm.defined).checked_div(arm.tests).unwrap_or(0);
        Row::new(vec![
            Cell::from(name.clone()),
            right(arm.total),
            right(format!("{:.2}", status.rate(name))),
            right(format!("{defined} %")),
        ])
    });
    let widths = [Constraint::Fill(1), Constraint::Length(8), Constraint::Length(8), Constraint::Length(8)];
    let table = Table::new(rows, widths).header(header(["", "tests", "per s", "defined"]));
    frame.render_widget(table.block(titled("generators")), area);
}

fn draw_compilers(frame: &mut Frame<'_>, area: Rect, status: &Status) {
    let rows = status.compilers.iter().map(|(name, counts)| {
        Row::new(vec![
            Cell::from(name.clone()),
            right(counts.builds),
            right(counts.runs),
            right(counts.sightings),
        ])
    });
    let widths = [Constraint::Fill(1), Constraint::Length(8), Constraint::Length(8), Constraint::Length(8)];
    let table = Table::new(rows, widths).header(header(["", "builds", "runs", "seen"]));
    frame.render_widget(table.block(titled("compilers")), area);
}

fn draw_found(frame: &mut Frame<'_>, area: Rect, status: &Status) {
    let rows = status.found.iter().rev().map(|found| {
        let style = if found.confirmed { Style::new() } else { Style::new().add_modifier(Modifier::DIM) };
        let age = found.at.map_or("earlier".to_owned(), |at| span(status.elapsed - at));
        Row::new(vec![
            Cell::from(found.id.to_string()[..10].to_owned()),
            Cell::from(found.kind.clone()),
            right(age),
            right(format!("×{}", found.seen)),
            Cell::from(if found.confirmed { found.title.clone() } else { format!("({})", found.title) }),
        ])
        .style(style)
    });
    let widths = [
        Constraint::Length(10),
        Constraint::Length(12),
        Constraint::Length(8),
        Constraint::Length(6),
        Constraint::Fill(1),
    ];
    let table = Table::new(rows, widths).header(header(["id", "kind", "age", "seen", "what"]));
    frame.render_widget(
        table.block(titled("found (in brackets: suspects, disputed and flaky ones, kept apart)")),
        area,
    );
}

fn draw_foot(frame: &mut Frame<'_>, area: Rect, status: &Status) {
    let working: Vec<String> =
        status.working.iter().map(|(worker, what)| format!("worker {worker}: {what}")).collect();
    let first = if working.is_empty() { "Ctrl-C ends the hunt".to_owned() } else { working.join("; ") };
    let mut lines = vec![Line::from(first)];
    let troubles = status.troubles.iter().rev().take(3);
    lines.extend(troubles.map(|what| Line::styled(what.clone(), Style::new().fg(Color::Yellow))));
    frame.render_widget(Paragraph::new(lines), area);
}

fn titled(title: &str) -> Block<'_> {
    Block::new().borders(Borders::TOP).title(title)
}

fn header<const N: usize>(names: [&'static str; N]) -> Row<'static> {
    let cells = names.into_iter().enumerate().map(|(index, name)| match name {
        "id" | "kind" | "what" => Cell::from(name),
        _ if index == 0 => Cell::from(name),
        _ => right(name),
    });
    Row::new(cells).style(Style::new().add_modifier(Modifier::BOLD))
}

fn right(text: impl ToString) -> Cell<'static> {
    Cell::from(Line::from(text.to_string()).right_aligned())
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Seconds as a person says them: `42 s`, `3m05s`, `2h07m`.
pub fn span(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes}m{seconds:02}s"),
        (hours, minutes, _) => format!("{hours}h{minutes:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use howler_campaign::status::{CompilerCounts, Cpu, Event, Found, Tested};
    use howler_campaign::verdict::Verdict;
    use howler_case::Id;
    use howler_oracle::judge::Word;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::*;

    fn drawn(status: &Status, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, status)).unwrap();
        let buffer = terminal.backend().buffer();
        let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..height).map(line).collect::<Vec<_>>().join("\n")
    }

    fn busy() -> Status {
        let mut status = Status { folder: "howler-hunt".to_owned(), time: Some(120.0), ..Status::default() };
        for index in 0..50 {
            let compilers = ["gcc-12", "tcc"].map(|name| {
                (name.to_owned(), CompilerCounts { builds: 5, runs: 3, sightings: u64::from(index == 7) })
            });
            let tested = Tested {
                arm: if index % 5 == 0 { "csmith" } else { "orange" }.to_owned(),
                index,
                verdict: Verdict::Judged(if index % 10 == 0 { Word::Unfinished } else { Word::Defined }),
                compilers: compilers.to_vec(),
                cpu: Cpu { compilers: 0.9, programs: 0.05, generators: 0.02, howler: 0.01, ..Cpu::default() },
                ..Tested::default()
            };
            status.apply(index as f64, &Event::Tested(tested));
        }
        for (at, confirmed, kind) in
            [(20.0, true, "wrong-code"), (31.0, false, "wrong-code"), (44.0, true, "crash")]
        {
            let found = Found {
                id: Id::of(&[at as u8]),
                signature: Id::of(&[at as u8]),
                kind: kind.to_owned(),
                confirmed,
                title: format!("tcc: {kind} at -O{at}"),
                at: Some(at),
                seen: 2,
            };
            status.apply(at, &Event::Found(found));
        }
        status.apply(65.0, &Event::Working { worker: 1, what: "confirming a crash".to_owned() });
        status.apply(66.0, &Event::Trouble("csmith took too long for seed 17".to_owned()));
        status
    }

    #[test]
    fn a_busy_hunt_on_a_terminal() {
        let expected = include_str!("../../tests/screens/busy.txt");
        assert_eq!(drawn(&busy(), 100, 20), expected.trim_end_matches('\n'));
    }

    #[test]
    fn no_size_is_too_small() {
        for (width, height) in [(1, 1), (10, 3), (40, 8), (80, 24), (300, 100)] {
            drawn(&busy(), width, height);
            drawn(&Status::default(), width, height);
        }
    }

    #[test]
    fn spans_are_words() {
        assert_eq!([0.4, 59.9, 60.0, 3599.0, 7260.0].map(span), ["0 s", "59 s", "1m00s", "59m59s", "2h01m"]);
    }
}
