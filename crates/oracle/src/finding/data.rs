//! A finding as data: what a store keeps of it, what `findings show --json` gives, and what its texts are made from.
//! `docs/finding-json.md` describes the fields.

use howler_case::{Behaviour, End, File, Status};
use serde::{Deserialize, Serialize};

use crate::finding::{Finding, NAME, text};
use crate::judge::Word;
use crate::repro::run_line;
use crate::sighting::Kind;
use crate::signature::{Evidence, Signature, again};

/// The version of the document that this code writes. Fields may be added without a new one; who reads ignores what it
/// does not know.
pub const VERSION: u32 = 1;

/// The longest document that is read.
pub const LONGEST: usize = 4 << 20;

/// Bytes of an output or a message that stand in the document; a file beside it has more.
const INLINE: usize = 4 << 10;

/// The verdict of what needs no meaning: that a compiler gives other code each time.
const ANY: &str = "any";

/// Entries of a list that a document may have.
const ENTRIES: usize = 10_000;

/// A finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Data {
    /// The version of the document.
    pub version: u32,
    /// One line: what is wrong, and with whom.
    pub title: String,
    /// What is wrong: `crash`, `wrong-code`.
    pub kind: String,
    /// How sure it is: `confirmed`.
    pub status: String,
    /// The family of compilers it is about.
    pub family: String,
    /// Which bug it is, as far as known.
    pub signature: SignatureData,
    /// What the machine says of the program.
    pub verdict: String,
    /// What the first look saw, on one line.
    pub detail: String,
    /// The configurations that show it every time.
    pub configurations: Vec<String>,
    /// The name that `-std=` takes.
    pub language: String,
    /// The line that makes the test again.
    pub origin: String,
    /// The files that the commands compile, by their names in the folder.
    pub files: Vec<String>,
    /// The command line that runs the program.
    pub run: String,
    /// What was tried, the first one being the one to show.
    pub attempts: Vec<AttemptData>,
    /// What the program must do, if the machine knows.
    pub expected: Option<BehaviourData>,
    /// Whether the program's volatile accesses are what differs.
    pub accesses: bool,
    /// Compilers that were asked what the program does.
    pub witnesses: Vec<Witness>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
    /// Whether there is a script that shows it.
    pub script: bool,
}

/// A signature.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SignatureData {
    /// Its identity.
    pub id: String,
    /// In words.
    pub text: String,
    /// What is left of a minimised program, if it is that.
    pub pattern: Option<String>,
    /// What it was computed from.
    pub evidence: String,
}

/// One configuration's part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AttemptData {
    /// The configuration.
    pub configuration: String,
    /// The compiler's version.
    pub version: String,
    /// The command line, for the folder that has the files.
    pub command: String,
    /// How the compiler ended, in words.
    pub compiler_end: String,
    /// What it wrote to standard error.
    pub messages: Bytes,
    /// How the program ended, in words, if it ran.
    pub program_end: Option<String>,
    /// What the program wrote, if it ran.
    pub output: Option<Bytes>,
}

/// What a program must do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BehaviourData {
    /// The exit status; none if it must abort.
    pub status: Option<u8>,
    /// What it must write, if that is known.
    pub output: Option<Bytes>,
}

/// The beginning of some bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Bytes {
    /// The beginning as text; what is no UTF-8 is replaced.
    pub text: String,
    /// How many there are.
    pub bytes: u64,
    /// The file of the folder that has all that were kept; none if there are no bytes.
    pub file: Option<String>,
}

/// A compiler that was asked what the program does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Witness {
    /// Its family: `gcc`.
    #[serde(default)]
    pub family: String,
    /// It with its flags.
    pub configuration: String,
    /// Its version.
    pub version: String,
    /// Whether its program does what the machine says.
    pub agrees: bool,
    /// Whether it does what the compilers of the finding do.
    #[serde(default)]
    pub same: bool,
    /// What its program did, in words.
    pub did: String,
}

impl Bytes {
    fn new(bytes: &[u8], file: String) -> Bytes {
        if bytes.is_empty() {
            return Bytes::default();
        }
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(INLINE)]).into_owned();
        Bytes { text, bytes: bytes.len() as u64, file: Some(file) }
    }
}

impl SignatureData {
    fn new(signature: &Signature) -> SignatureData {
        SignatureData {
            id: signature.id().to_string(),
            text: signature.to_string(),
            pattern: signature.as_pattern().map(str::to_owned),
            evidence: signature.evidence().text(),
        }
    }
}

impl Data {
    /// What a finding is.
    pub fn new(finding: &Finding) -> Data {
        let sighting = &finding.sighting;
        let attempts = finding.attempts.iter().enumerate().map(|(number, attempt)| AttemptData {
            configuration: attempt.configuration.clone(),
            version: attempt.version.clone(),
            command: attempt.command.clone(),
            compiler_end: attempt.compiler_end.clone(),
            messages: Bytes::new(&attempt.messages, format!("messages-{number}.txt")),
            program_end: attempt.program_end.clone(),
            output: attempt
                .program_end
                .as_ref()
                .map(|_| Bytes::new(&attempt.output, format!("output-{number}.txt"))),
        });
        let expected = finding.expected.as_ref().map(|Behaviour { end, output, .. }| match end {
            End::Exit(status) => BehaviourData {
                status: Some(*status),
                output: Some(Bytes::new(output, "expected-output.txt".to_owned())),
            },
            End::Abort => BehaviourData { status: None, output: None },
        });
        Data {
            version: VERSION,
            title: finding.title(),
            kind: sighting.kind.name().to_owned(),
            status: finding.status.name().to_owned(),
            family: sighting.family.clone(),
            signature: SignatureData::new(&sighting.signature),
            verdict: sighting.verdict.map_or(ANY, Word::name).to_owned(),
            detail: sighting.detail.clone(),
            configurations: sighting.configurations.clone(),
            language: finding.case.std.name().to_owned(),
            origin: finding.case.origin.to_string(),
            files: finding.files.iter().map(|file| file.name.clone()).collect(),
            run: run_line(finding.case.input()),
            attempts: attempts.collect(),
            expected,
            accesses: !finding.beside.is_empty(),
            witnesses: finding.witnesses.clone(),
            notes: finding.notes.clone(),
            script: finding.claim.is_some(),
        }
    }

    /// Something that nobody has looked at twice: a sighting that stands for its signature until a hunt confirms it.
    pub fn waiting(
        kind: &str,
        (signature, family): (&Signature, &str),
        configurations: &[String],
        (detail, origin): (&str, &str),
        files: &[File],
    ) -> Data {
        Data {
            version: VERSION,
            title: title((kind, family), configurations, signature, files),
            kind: kind.to_owned(),
            status: Status::Waiting.name().to_owned(),
            family: family.to_owned(),
            signature: SignatureData::new(signature),
            verdict: String::new(),
            detail: detail.to_owned(),
            configurations: configurations.to_vec(),
            language: String::new(),
            origin: origin.to_owned(),
            files: files.iter().map(|file| file.name.clone()).collect(),
            run: String::new(),
            attempts: Vec::new(),
            expected: None,
            accesses: false,
            witnesses: Vec::new(),
            notes: Vec::new(),
            script: false,
        }
    }

    /// The document.
    pub fn json(&self) -> Vec<u8> {
        // Nothing in it can fail to be written: no maps with odd keys, no numbers that JSON lacks.
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Reads a document, which may come from anywhere.
    ///
    /// # Errors
    /// In words: what is wrong with it.
    pub fn parse(bytes: &[u8]) -> Result<Data, String> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        if bytes.len() > LONGEST {
            return Err(format!("{NAME} is longer than {LONGEST} bytes"));
        }
        let wrong = |error: serde_json::Error| format!("{NAME} makes no sense: {error}");
        let Versioned { version } = serde_json::from_slice(bytes).map_err(wrong)?;
        if version != VERSION {
            return Err(format!("{NAME} has version {version}, this Howler knows {VERSION}"));
        }
        let data: Data = serde_json::from_slice(bytes).map_err(wrong)?;
        let lists = [
            data.configurations.len(),
            data.attempts.len(),
            data.witnesses.len(),
            data.notes.len(),
            data.files.len(),
        ];
        if lists.into_iter().any(|length| length > ENTRIES) {
            return Err(format!("{NAME} has a list of more than {ENTRIES} entries"));
        }
        Ok(data)
    }

    /// Its signature by today's rules; none if it does not say what that was computed from.
    pub fn signature_again(&self) -> Option<Signature> {
        again(&self.family, &Evidence::parse(&self.signature.evidence))
    }

    /// The same finding under another signature.
    pub fn under(&self, signature: &Signature, files: &[File]) -> Data {
        Data {
            title: title((&self.kind, &self.family), &self.configurations, signature, files),
            signature: SignatureData::new(signature),
            ..self.clone()
        }
    }
}

/// One line: what is wrong, with whom, and for which line of a minimised program.
pub fn title(
    (kind, family): (&str, &str),
    configurations: &[String],
    signature: &Signature,
    files: &[File],
) -> String {
    let mut who = super::in_few_words(configurations);
    if who.is_empty() {
        family.clone_into(&mut who);
    }
    let what = match Kind::parse(kind) {
        Some(Kind::Crash) => "crashes",
        Some(Kind::Hang) => "does not end",
        Some(Kind::Memory) => "takes too much memory",
        Some(Kind::Broken) => "breaks its contract",
        Some(Kind::Reject) => "rejects valid code",
        Some(Kind::WrongCode) => "makes wrong code",
        Some(Kind::DebugChangesCode) => "makes other code with -g",
        Some(Kind::Unstable) => "makes other code each time",
        None => kind,
    };
    // A program of which nothing is left to name has an empty one.
    let pattern = signature.as_pattern().filter(|pattern| !pattern.trim().is_empty());
    let line = pattern.and_then(|_| text::telling_line(files)).or(pattern.map(str::to_owned));
    match line {
        Some(line) => format!("{who}: {what} for {}", super::beginning(&line, super::PATTERN)),
        None => format!("{who}: {what}"),
    }
}
