/** Processors whose system call numbers are known here, by Node's names. */
export type FilteredProcessor = 'x64' | 'arm64'

/** Numbers by name; [x64, arm64], `undefined` where a processor has no such call. From the kernel's `unistd_64.h` and `unistd.h`. */
type Numbers = readonly [x64: number | undefined, arm64: number | undefined]

/** New connections, and sockets at all. The channel to the server is inherited and stays. */
export const SOCKET_CALLS = {
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
} as const satisfies Record<string, Numbers>

/** Changes of files and folders other than through an open descriptor. */
export const FILE_CALLS = {
  creat: [85, undefined],
  truncate: [76, 45],
  ftruncate: [77, 46],
  fallocate: [285, 47],
  mkdir: [83, undefined],
  mkdirat: [258, 34],
  rmdir: [84, undefined],
  unlink: [87, undefined],
  unlinkat: [263, 35],
  rename: [82, undefined],
  renameat: [264, 38],
  renameat2: [316, 276],
  link: [86, undefined],
  linkat: [265, 37],
  symlink: [88, undefined],
  symlinkat: [266, 36],
  mknod: [133, undefined],
  mknodat: [259, 33],
  chmod: [90, undefined],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  chown: [92, undefined],
  fchown: [93, 55],
  lchown: [94, undefined],
  fchownat: [260, 54],
  utime: [132, undefined],
  utimes: [235, undefined],
  futimesat: [261, undefined],
  utimensat: [280, 88],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  setxattrat: [463, 463],
  removexattrat: [466, 466],
  open_by_handle_at: [304, 265],
} as const satisfies Record<string, Numbers>

/** New processes, and power over other ones. */
export const PROCESS_CALLS = {
  fork: [57, undefined],
  vfork: [58, undefined],
  execve: [59, 221],
  execveat: [322, 281],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  tkill: [200, 130],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_send_signal: [424, 424],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  // Locks hold up whoever else uses a file, the database included.
  flock: [73, 32],
  // The server's threads could be slowed down or moved.
  setpriority: [141, 140],
  sched_setscheduler: [144, 119],
  sched_setparam: [142, 118],
  sched_setattr: [314, 274],
  ioprio_set: [251, 30],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
} as const satisfies Record<string, Numbers>

/** Ways around a filter, and parts of the kernel that a model needs nothing of. */
export const KERNEL_CALLS = {
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  acct: [163, 89],
  quotactl: [179, 60],
  syslog: [103, 116],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  fanotify_init: [300, 262],
} as const satisfies Record<string, Numbers>

/** Calls that depend on an argument, or that have a fallback in the C library. */
export const CONDITIONAL_CALLS = {
  open: [2, undefined],
  openat: [257, 56],
  openat2: [437, 437],
  clone: [56, 220],
  clone3: [435, 435],
  kill: [62, 129],
  tgkill: [234, 131],
  prlimit64: [302, 261],
  sched_setaffinity: [203, 122],
  fcntl: [72, 25],
  ioctl: [16, 29],
} as const satisfies Record<string, Numbers>

/** The number of a call on a processor, if it has it. */
export function numberOf([x64, arm64]: Numbers, processor: FilteredProcessor): number | undefined {
  return processor === 'x64' ? x64 : arm64
}
