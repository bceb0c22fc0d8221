//! Reading standard input against gcc and glibc: the same bytes, the same output.

#[path = "library/harness.rs"]
mod harness;

use harness::DECLARATIONS;
use howler_choices::Choices;
use howler_lang::program::Program;
use howler_lang::target::Target;
use howler_machine::outcome::Outcome;
use howler_machine::{Input, RunOptions, RunReport, reads_input, run as execute};
use howler_testkit::{Options, Scratch, run, tool};

const READING: &str = r#"
extern FILE *stdin;
int getchar(void); int fgetc(FILE *); int ungetc(int, FILE *); char *fgets(char *, int, FILE *);
size_t fread(void *, size_t, size_t, FILE *); int feof(FILE *); int ferror(FILE *); void clearerr(FILE *);
int scanf(const char *, ...); int fscanf(FILE *, const char *, ...); long getline(char **, size_t *, FILE *);
"#;

fn linked(text: &str) -> Program {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = howler_front::parse(&mut program, "test.c", text.into(), &howler_front::Options::default());
    assert!(report.unit.is_some(), "{:?}", report.diagnostics);
    let _ = howler_lang::link::link(&mut program);
    program
}

fn machine(program: &Program, bytes: &[u8], arguments: &[Vec<u8>]) -> RunReport {
    let input = Input { bytes, arguments };
    execute(program, &RunOptions { input, ..RunOptions::default() })
}

/// Every way to read, chosen by the program's own arguments, on random lines.
const PROGRAM: &str = r#"
int main(int argc, char **argv) {
    int i, c, n, m; char line[12], word[20], *more = 0; size_t room = 0; double x; unsigned char bytes[6];
    for (i = 1; i < argc; i++) {
        printf("%s: ", argv[i]);
        switch (argv[i][0]) {
        case 'c': printf("%d", getchar()); break;
        case 'u': c = fgetc(stdin); printf("%d %d", c, ungetc(c, stdin)); break;
        case 'l': if (fgets(line, sizeof line, stdin)) printf("<%s>", line); else printf("none"); break;
        case 'd': n = -1; m = scanf("%d", &n); printf("%d %d", m, n); break;
        case 's': word[0] = 0; m = scanf("%9s", word); printf("%d %s", m, word); break;
        case 't': n = 0; m = fscanf(stdin, "%d%*[ ,]%d", &n, &n); printf("%d %d", m, n); break;
        case 'x': n = 0; m = scanf(" %c%n", word, &n); printf("%d %d", m, n); break;
        case 'f': x = 0; m = scanf("%lf", &x); printf("%d %g", m, x); break;
        case 'r': n = fread(bytes, 2, 3, stdin); printf("%d", n); for (c = 0; c < 2 * n; c++) printf(" %d", bytes[c]); break;
        case 'g': n = getline(&more, &room, stdin); printf("%d %s", n, n > 0 ? more : ""); break;
        case 'e': clearerr(stdin); break;
        }
        printf(" %d%d\n", feof(stdin) != 0, ferror(stdin) != 0);
    }
    free(more);
    return 0;
}
"#;

#[test]
fn every_way_to_read_agrees() {
    let Some(gcc) = tool("gcc-12") else { return };
    let text = format!("{DECLARATIONS}{READING}{PROGRAM}");
    let program = linked(&text);
    let scratch = Scratch::new();
    let (source, binary) = (scratch.write("test.c", &text), scratch.path("test"));
    let built =
        run(gcc, ["-w".as_ref(), source.as_os_str(), "-o".as_ref(), binary.as_os_str()], &Options::default());
    assert!(built.success(), "{}", built.stderr_text());
    let choices = &mut Choices::new(27);
    let pieces =
        ["12", "-7", " ", "  ", "\n", "abc", "x", ",", "3.5", "0", "9", "\t", "longer than a line", "\n\n"];
    for _ in 0..120 {
        let len = choices.range("pieces", 0..=12u32);
        let bytes: String = (0..len).map(|_| *choices.one_of("piece", &pieces)).collect();
        let count = choices.range("reads", 1..=10u32);
        let ways = ["c", "u", "l", "d", "s", "t", "x", "f", "r", "g", "e"];
        let arguments: Vec<String> = (0..count).map(|_| (*choices.one_of("way", &ways)).to_owned()).collect();
        let given: Vec<Vec<u8>> = arguments.iter().map(|way| way.as_bytes().to_vec()).collect();
        let report = machine(&program, bytes.as_bytes(), &given);
        let theirs = run(&binary, &arguments, &Options { input: bytes.as_bytes(), ..Options::default() });
        // Where glibc and C17 differ the machine refuses; what it printed until then must agree.
        let ours = String::from_utf8_lossy(&report.output).into_owned();
        match report.outcome {
            Outcome::Unsupported(_) => {
                assert!(theirs.stdout_text().starts_with(&ours), "{bytes:?} {arguments:?}")
            }
            outcome => {
                assert_eq!(ours, theirs.stdout_text(), "{bytes:?} {arguments:?}");
                assert_eq!(outcome, Outcome::Exit(0), "{bytes:?} {arguments:?}");
                assert_eq!(report.open, [], "{bytes:?} {arguments:?}");
            }
        }
    }
}

#[test]
fn only_programs_that_read_are_given_input() {
    let reads =
        |body: &str| reads_input(&linked(&format!("{DECLARATIONS}{READING}int main(void) {{ {body} }}")));
    assert!(reads("return getchar();"));
    assert!(reads("char a[9]; return fgets(a, 9, stdin) != 0;"));
    assert!(!reads("puts(\"hello\"); return 0;"));
    assert!(!reads("int x; return sscanf(\"1\", \"%d\", &x);"));
}
