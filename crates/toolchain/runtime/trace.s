# Logs every access to the section .howler_volatile, which the linker script puts there, into the file howler-trace.bin.
# Linked into the program that is traced; x86-64 Linux. Nothing here is compiled, so no compiler can get it wrong.
#
# The pages of the section are protected. An access faults; the handler notes it, opens the pages, and has the
# processor trap after one instruction; the second handler notes what is there now and closes the pages again.
# The file is mapped, so that it is whole however the program ends.
#
# Header, 64 bytes: a mark, the count of entries, the start and the end of the section.
# Entry, 64 bytes: offset in the section, error code (2: write), eight bytes there before, eight bytes there after,
# sixteen bytes of the instruction (zeros after its end, or all zeros if it is not known), its length, nothing.

	.set	CAPACITY, 16384
	.set	SIZE, 64 + CAPACITY * 64

	.section .init_array.00000,"aw",@init_array
	.balign	8
	.quad	howler_trace_begin

	.section .rodata.howler_trace,"a",@progbits
name:	.asciz	"howler-trace.bin"

	.section .data.howler_trace_state,"aw",@progbits
	.balign	16
log:	.quad	0			# Where the file is mapped.
at:	.quad	0			# The address that is accessed; zero: nothing is under way.
rip:	.quad	0			# The instruction that accesses it.
on_segv:
	.quad	fault, 0x0c000004, restore, 0	# SA_SIGINFO, SA_RESTORER, SA_ONSTACK
on_trap:
	.quad	trap, 0x0c000004, restore, 0
by_default:
	.quad	0, 0x04000000, restore, 0
stack:	.quad	room, 0, 65536

	.section .bss.howler_trace_stack,"aw",@nobits
	.balign	16
room:	.zero	65536

	.text
howler_trace_begin:
	pushq	%rbx
	leaq	name(%rip), %rdi	# open(name, O_RDWR | O_CREAT | O_TRUNC, 0600)
	movl	$01102, %esi
	movl	$0600, %edx
	movl	$2, %eax
	syscall
	testq	%rax, %rax
	js	1f
	movq	%rax, %rbx
	movq	%rbx, %rdi		# ftruncate
	movl	$SIZE, %esi
	movl	$77, %eax
	syscall
	testq	%rax, %rax
	js	1f
	xorl	%edi, %edi		# mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
	movl	$SIZE, %esi
	movl	$3, %edx
	movl	$1, %r10d
	movq	%rbx, %r8
	xorl	%r9d, %r9d
	movl	$9, %eax
	syscall
	cmpq	$-4096, %rax
	ja	1f
	movq	%rax, log(%rip)
	movq	%rbx, %rdi		# close
	movl	$3, %eax
	syscall
	leaq	stack(%rip), %rdi	# sigaltstack
	xorl	%esi, %esi
	movl	$131, %eax
	syscall
	leaq	on_segv(%rip), %rsi
	movl	$11, %edi
	call	set_action
	leaq	on_trap(%rip), %rsi
	movl	$5, %edi
	call	set_action
	movq	log(%rip), %rax
	leaq	howler_trace_start(%rip), %rcx
	movq	%rcx, 16(%rax)
	leaq	howler_trace_end(%rip), %rcx
	movq	%rcx, 24(%rax)
	xorl	%edx, %edx
	call	protect
	movq	log(%rip), %rcx
	testq	%rax, %rax
	js	1f
	movabsq	$0x6563617274776f68, %rax	# "howtrace"
	movq	%rax, (%rcx)
1:	popq	%rbx
	ret

# rt_sigaction(edi, rsi, 0, 8)
set_action:
	xorl	%edx, %edx
	movl	$8, %r10d
	movl	$13, %eax
	syscall
	ret

# mprotect of the section, rights in edx
protect:
	leaq	howler_trace_start(%rip), %rdi
	leaq	howler_trace_end(%rip), %rsi
	subq	%rdi, %rsi
	movl	$10, %eax
	syscall
	ret

restore:
	movl	$15, %eax		# rt_sigreturn
	syscall

# rdx: the context; registers are at 40 there, in the order of <sys/ucontext.h>.
fault:
	movq	216(%rdx), %rax		# CR2
	cmpq	$14, 200(%rdx)		# A page fault?
	jne	2f
	leaq	howler_trace_start(%rip), %rcx
	cmpq	%rcx, %rax
	jb	2f
	leaq	howler_trace_end(%rip), %rcx
	cmpq	%rcx, %rax
	jae	2f
	cmpq	$0, at(%rip)		# One instruction that accesses two places: the pages are open, so it cannot be.
	jne	2f
	pushq	%rdx
	movl	$3, %edx
	call	protect
	popq	%rdx
	movq	log(%rip), %r8
	movq	8(%r8), %rcx
	shlq	$6, %rcx
	leaq	64(%r8, %rcx), %r8
	movq	216(%rdx), %rax
	movq	%rax, at(%rip)
	movq	(%rax), %rcx		# The section ends with unused bytes, so this stays inside.
	movq	%rcx, 16(%r8)
	leaq	howler_trace_start(%rip), %rcx
	subq	%rcx, %rax
	movq	%rax, (%r8)
	movq	192(%rdx), %rax		# ERR
	movq	%rax, 8(%r8)
	movq	168(%rdx), %rax		# RIP
	movq	%rax, rip(%rip)
	orq	$0x100, 176(%rdx)	# EFL: trap after one instruction
	ret
2:	leaq	by_default(%rip), %rsi	# The program's own fault: it comes again, and nothing catches it.
	movl	$11, %edi
	jmp	set_action

trap:
	movq	at(%rip), %rax
	testq	%rax, %rax
	jz	5f
	movq	log(%rip), %r8
	movq	8(%r8), %r9
	movq	%r9, %rcx
	shlq	$6, %rcx
	leaq	64(%r8, %rcx), %rdi
	movq	(%rax), %rcx
	movq	%rcx, 24(%rdi)
	andq	$~0x100, 176(%rdx)
	movq	rip(%rip), %rsi		# What was executed lies before what comes next, unless it jumps.
	movq	168(%rdx), %rcx
	subq	%rsi, %rcx
	movq	$0, 32(%rdi)
	movq	$0, 40(%rdi)
	cmpq	$15, %rcx
	ja	3f
	movq	%rcx, 48(%rdi)
	addq	$32, %rdi
	rep movsb
3:	movq	$0, at(%rip)
	incq	%r9
	movq	%r9, 8(%r8)
	cmpq	$CAPACITY, %r9
	jae	4f			# Full: the pages stay open.
	xorl	%edx, %edx
	jmp	protect
4:	ret
5:	int3				# The program's own trap. It is blocked here, so it ends the program.
	ret

	.section .note.GNU-stack,"",@progbits
