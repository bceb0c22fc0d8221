//! Seccomp: system calls that no compiler and no program under test needs, and that reach beyond a job.
//!
//! A list of what is forbidden, not of what is allowed: what a compiler's runtime may ask for is not ours to know. The
//! calls that make or enter namespaces give an ordinary user rights that the other layers take for granted to be gone;
//! a socket reaches services by their path where a network namespace does not. Programs for i386 run here too, so the
//! filter knows both sets of numbers.

use crate::guard::layers::Layer;
use crate::sys;

/// One instruction: code, where to go if so and if not, operand.
pub(crate) type Instruction = (u16, u8, u8, u32);

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const ANY_OF: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// Where `seccomp_data` has what is looked at: the number, the machine, the low half of the first argument.
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;
const FIRST: u32 = 16;

const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;

const fn refuse(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno as u32
}

/// All flags of `clone` that make a namespace (NEWTIME is in the byte for the signal and for `clone3` only).
const NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;

/// The numbers of one machine.
struct Numbers {
    /// As `seccomp_data` calls it.
    machine: u32,
    forbidden: &'static [u32],
    clone: u32,
    clone3: u32,
    /// One call for all that has to do with sockets.
    socketcall: Option<u32>,
    /// Numbers from here on are another set's.
    end: Option<u32>,
}

/// Calls that are numbered alike everywhere: those of 2019 and later.
#[rustfmt::skip]
const COMMON: &[u32] = &[
    425, 426, 427, // io_uring, which has its own way to sockets and files
    428, 429, 430, 431, 432, 433, 442, 467, // open_tree, move_mount, fs*, mount_setattr, open_tree_attr
    443, // quotactl_fd
];

/// Named after <asm/unistd_64.h>.
#[rustfmt::skip]
const X86_64: Numbers = Numbers {
    machine: 0xc000_003e,
    forbidden: &[
        41, // socket
        103, 153, 155, // syslog, vhangup, pivot_root
        159, 163, 164, // adjtimex, acct, settimeofday
        165, 166, 167, 168, 169, 170, 171, // mount, umount2, swapon, swapoff, reboot, sethostname, setdomainname
        172, 173, 175, 176, 179, 180, // iopl, ioperm, init_module, delete_module, quotactl, nfsservctl
        212, 227, 246, 248, 249, 250, // lookup_dcookie, clock_settime, kexec_load, add_key, request_key, keyctl
        272, 298, 300, 304, 305, // unshare, perf_event_open, fanotify_init, open_by_handle_at, clock_adjtime
        308, 313, 320, 321, 323, // setns, finit_module, kexec_file_load, bpf, userfaultfd
    ],
    clone: 56,
    clone3: 435,
    socketcall: None,
    end: Some(0x4000_0000),
};

/// Named after <asm/unistd_32.h>.
#[rustfmt::skip]
const I386: Numbers = Numbers {
    machine: 0x4000_0003,
    forbidden: &[
        359, // socket
        103, 111, 217, // syslog, vhangup, pivot_root
        124, 51, 79, 25, // adjtimex, acct, settimeofday, stime
        21, 22, 52, 87, 115, 88, 74, 121, // mount, umount, umount2, swapon, swapoff, reboot, set*name
        110, 101, 128, 129, 131, 169, // iopl, ioperm, init_module, delete_module, quotactl, nfsservctl
        253, 264, 404, 283, 286, 287, 288, // lookup_dcookie, clock_settime, kexec_load, add_key, request_key, keyctl
        310, 336, 338, 342, 343, 405, // unshare, perf_event_open, fanotify_init, open_by_handle_at, clock_adjtime
        346, 350, 357, 374, // setns, finit_module, bpf, userfaultfd
    ],
    clone: 120,
    clone3: 435,
    socketcall: Some(102),
    end: None,
};

/// Named after <asm-generic/unistd.h>.
#[rustfmt::skip]
const AARCH64: Numbers = Numbers {
    machine: 0xc000_00b7,
    forbidden: &[
        198, // socket
        116, 58, 41, // syslog, vhangup, pivot_root
        171, 89, 170, // adjtimex, acct, settimeofday
        40, 39, 224, 225, 142, 161, 162, // mount, umount2, swapon, swapoff, reboot, sethostname, setdomainname
        105, 106, 60, 42, // init_module, delete_module, quotactl, nfsservctl
        18, 112, 104, 217, 218, 219, // lookup_dcookie, clock_settime, kexec_load, add_key, request_key, keyctl
        97, 241, 262, 265, 266, // unshare, perf_event_open, fanotify_init, open_by_handle_at, clock_adjtime
        268, 273, 294, 280, 282, // setns, finit_module, kexec_file_load, bpf, userfaultfd
    ],
    clone: 220,
    clone3: 435,
    socketcall: None,
    end: None,
};

/// From now on the caller and its descendants cannot make these calls: they fail as if the system forbade them.
pub(crate) fn forbid() -> Layer {
    let machines: &[&Numbers] = match std::env::consts::ARCH {
        "x86_64" => &[&X86_64, &I386],
        "aarch64" => &[&AARCH64],
        other => return Layer::Missing(format!("no list of system calls for {other}")),
    };
    match sys::filter_calls(&program(machines)) {
        Ok(()) => Layer::Active("seccomp: no mounts, namespaces, sockets, keys, modules, clocks".to_owned()),
        Err(error) => Layer::Missing(format!("no seccomp: {error}")),
    }
}

fn program(machines: &[&Numbers]) -> Vec<Instruction> {
    let mut all = vec![(LOAD, 0, 0, MACHINE)];
    for numbers in machines {
        let part = of_machine(numbers);
        // A jump that depends on something is short, one that does not is as long as need be.
        all.push((EQUAL, 1, 0, numbers.machine));
        let past = u32::try_from(part.len()).unwrap_or(u32::MAX);
        all.push(((libc::BPF_JMP | libc::BPF_JA) as u16, 0, 0, past));
        all.extend(part);
    }
    all.push((RETURN, 0, 0, refuse(libc::ENOSYS)));
    all
}

fn of_machine(numbers: &Numbers) -> Vec<Instruction> {
    let mut part = vec![(LOAD, 0, 0, NUMBER)];
    let mut answer = |question: Instruction, status: u32| {
        part.push(question);
        part.push((RETURN, 0, 0, status));
    };
    if let Some(end) = numbers.end {
        answer((AT_LEAST, 0, 1, end), refuse(libc::ENOSYS));
    }
    for &number in numbers.forbidden.iter().chain(COMMON) {
        answer((EQUAL, 0, 1, number), refuse(libc::EPERM));
    }
    // Its flags are in memory, where a filter cannot look. Whoever finds it missing uses `clone`.
    answer((EQUAL, 0, 1, numbers.clone3), refuse(libc::ENOSYS));
    part.push((EQUAL, 0, 3, numbers.clone));
    part.push((LOAD, 0, 0, FIRST));
    part.push((ANY_OF, 0, 1, NAMESPACES));
    part.push((RETURN, 0, 0, refuse(libc::EPERM)));
    if let Some(socketcall) = numbers.socketcall {
        part.push((LOAD, 0, 0, NUMBER));
        part.push((EQUAL, 0, 3, socketcall));
        part.push((LOAD, 0, 0, FIRST));
        part.push((EQUAL, 0, 1, 1));
        part.push((RETURN, 0, 0, refuse(libc::EPERM)));
    }
    part.push((RETURN, 0, 0, ALLOW));
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says to a call: a machine for its instructions.
    fn verdict(program: &[Instruction], machine: u32, number: u32, first: u32) -> u32 {
        let (mut at, mut held) = (0, 0);
        loop {
            let (code, yes, no, value) = program[at];
            at += 1;
            let jump = |is: bool| usize::from(if is { yes } else { no });
            match code {
                LOAD => {
                    held = match value {
                        NUMBER => number,
                        MACHINE => machine,
                        FIRST => first,
                        other => panic!("{other}"),
                    }
                }
                EQUAL => at += jump(held == value),
                AT_LEAST => at += jump(held >= value),
                ANY_OF => at += jump(held & value != 0),
                RETURN => return value,
                _ => at += usize::try_from(value).unwrap(),
            }
        }
    }

    #[test]
    fn the_filter_refuses_what_it_should() {
        let both = program(&[&X86_64, &I386]);
        let (wide, narrow) = (X86_64.machine, I386.machine);
        let no = refuse(libc::EPERM);
        for (machine, number, first, expected) in [
            (wide, 165, 0, no),
            (wide, 41, 2, no),
            (wide, 21, 0, ALLOW),
            (wide, 56, 17, ALLOW),
            (wide, 56, libc::CLONE_NEWUSER as u32 | 17, no),
            (wide, 435, 0, refuse(libc::ENOSYS)),
            (wide, 0x4000_0001, 0, refuse(libc::ENOSYS)),
            (narrow, 21, 0, no),
            (narrow, 165, 0, ALLOW),
            (narrow, 102, 1, no),
            (narrow, 102, 8, ALLOW),
            (narrow, 120, 102, ALLOW),
            (narrow, 120, libc::CLONE_NEWNS as u32, no),
            (AARCH64.machine, 0, 0, refuse(libc::ENOSYS)),
        ] {
            assert_eq!(verdict(&both, machine, number, first), expected, "{machine:x} {number} {first:x}");
        }
    }

    /// Against the names that the library has for this machine.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn numbers_are_those_of_the_names() {
        let names = [
            libc::SYS_socket,
            libc::SYS_syslog,
            libc::SYS_pivot_root,
            libc::SYS_mount,
            libc::SYS_umount2,
            libc::SYS_reboot,
            libc::SYS_setdomainname,
            libc::SYS_iopl,
            libc::SYS_init_module,
            libc::SYS_clock_settime,
            libc::SYS_kexec_load,
            libc::SYS_add_key,
            libc::SYS_keyctl,
            libc::SYS_unshare,
            libc::SYS_perf_event_open,
            libc::SYS_fanotify_init,
            libc::SYS_open_by_handle_at,
            libc::SYS_clock_adjtime,
            libc::SYS_setns,
            libc::SYS_finit_module,
            libc::SYS_kexec_file_load,
            libc::SYS_bpf,
            libc::SYS_userfaultfd,
            libc::SYS_io_uring_setup,
            libc::SYS_open_tree,
            libc::SYS_mount_setattr,
            libc::SYS_quotactl_fd,
        ];
        for name in names {
            let number = u32::try_from(name).unwrap();
            assert!(X86_64.forbidden.contains(&number) || COMMON.contains(&number), "{number}");
        }
        assert_eq!(i64::from(X86_64.clone), libc::SYS_clone);
        assert_eq!(i64::from(X86_64.clone3), libc::SYS_clone3);
    }
}
