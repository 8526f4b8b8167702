/** `linux/prctl.h` and `linux/seccomp.h`. */
const PR_SET_NO_NEW_PRIVS = 38
const SECCOMP_SET_MODE_FILTER = 1
const SECCOMP_FILTER_FLAG_TSYNC = 1
const SECCOMP_CALL = { x64: 317, arm64: 277 }

const INSTRUCTION_BYTES = 8

/**
 * Puts a filter on every thread of this process and on those that it creates from now on. It cannot be removed.
 * @param program - instructions as from `buildSeccompFilter`
 * @throws Error with the reason, without user data
 */
export async function installSeccompFilter(
  program: Buffer,
  processor: keyof typeof SECCOMP_CALL,
): Promise<void> {
  // Loaded here, so that a platform without it still runs, unfiltered.
  const { default: koffi } = await import('koffi')
  const c = koffi.load(null)
  const prctl = c.func('int prctl(int option, ulong a, ulong b, ulong c, ulong d)')
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) !== 0) {
    throw new Error(`no_new_privs was refused (error ${koffi.errno()})`)
  }
  const programType = koffi.struct({ len: 'uint16', filter: 'void *' })
  const seccomp = c.func('syscall', 'long', ['long', 'ulong', 'ulong', koffi.pointer(programType)])
  const result: unknown = seccomp(
    SECCOMP_CALL[processor],
    SECCOMP_SET_MODE_FILTER,
    SECCOMP_FILTER_FLAG_TSYNC,
    { len: program.length / INSTRUCTION_BYTES, filter: program },
  )
  if (result === 0) return
  // Above zero it is the thread that could not be changed.
  const reason = Number(result) > 0 ? 'a thread has another filter' : `error ${koffi.errno()}`
  throw new Error(`the system call filter was refused (${reason})`)
}
