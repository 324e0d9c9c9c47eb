// What the package uses of Darwin's C library and of its Swift overlay, as the headers of the macOS 15 SDK declare it: enough to
// type-check the branches for Apple's systems on other ones. Nothing here is ever linked.

#pragma clang assume_nonnull begin
#define OVERLOADS __attribute__((overloadable))
// The tags are others than those of the C library here, which the standard library imports: two definitions of one tag are refused.
#define NAMED(name) __attribute__((swift_name(#name)))

// Types
typedef long ssize_t;
typedef unsigned long size_t;
typedef int pid_t;
typedef unsigned short mode_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef unsigned short nlink_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef long long off_t;
typedef long time_t;
typedef unsigned int nfds_t;
typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef unsigned long speed_t;
typedef unsigned int sigset_t;
typedef enum { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 6 } clockid_t;
typedef unsigned long pthread_key_t;
typedef void *_Nullable posix_spawn_file_actions_t;
typedef void *_Nullable posix_spawnattr_t;
typedef void (*sig_t)(int);
typedef struct _opaque_pthread_t { long __sig; } *pthread_t;
struct darwin_pthread_attr_t { long __sig; } NAMED(_opaque_pthread_attr_t);
typedef struct darwin_pthread_attr_t pthread_attr_t;
struct darwin_pthread_mutex_t { long __sig; } NAMED(_opaque_pthread_mutex_t);
typedef struct darwin_pthread_mutex_t pthread_mutex_t;
struct darwin_pthread_mutexattr_t { long __sig; } NAMED(_opaque_pthread_mutexattr_t);
typedef struct darwin_pthread_mutexattr_t pthread_mutexattr_t;
struct darwin_pthread_cond_t { long __sig; } NAMED(_opaque_pthread_cond_t);
typedef struct darwin_pthread_cond_t pthread_cond_t;
struct darwin_pthread_condattr_t { long __sig; } NAMED(_opaque_pthread_condattr_t);
typedef struct darwin_pthread_condattr_t pthread_condattr_t;
struct darwin_DIR { long __dd_len; } NAMED(_DIR);
typedef struct darwin_DIR DIR;

struct darwin_timespec { time_t tv_sec; long tv_nsec; } NAMED(timespec);
struct darwin_stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct darwin_timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
    off_t st_size;
} NAMED(stat);
struct darwin_rlimit { unsigned long long rlim_cur, rlim_max; } NAMED(rlimit);
struct darwin_pollfd { int fd; short events; short revents; } NAMED(pollfd);
struct darwin_winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; } NAMED(winsize);
struct darwin_termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_cc[20];
    speed_t c_ispeed, c_ospeed;
} NAMED(termios);
struct darwin_siginfo { int si_signo; int si_code; void *_Nullable si_addr; } NAMED(__siginfo);
typedef struct darwin_siginfo siginfo_t;
union darwin_sigaction_u {
    void (*_Null_unspecified __sa_handler)(int);
    void (*_Null_unspecified __sa_sigaction)(int, struct darwin_siginfo *_Null_unspecified, void *_Null_unspecified);
} NAMED(__sigaction_u);
struct darwin_sigaction { union darwin_sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; } NAMED(sigaction);
struct darwin_stack { void *_Null_unspecified ss_sp; size_t ss_size; int ss_flags; } NAMED(__darwin_sigaltstack);
typedef struct darwin_stack stack_t;
struct darwin_dirent { ino_t d_ino; unsigned short d_reclen, d_namlen; unsigned char d_type; char d_name[1024]; } NAMED(dirent);

// Constants; the overlay has 'errno' and the signal handlers.
extern int errno __attribute__((swift_attr("nonisolated(unsafe)"), swift_attr("@safe")));
extern const sig_t _Nullable SIG_DFL;
extern const sig_t SIG_IGN;
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define EBADF 9
#define ECHILD 10
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOTSUP 45
#define ELOOP 62
#define EDQUOT 69
#define ENOSYS 78
#define RLIMIT_FSIZE 1
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_NOCTTY 0x20000
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define F_DUPFD_CLOEXEC 67
#define FD_CLOEXEC 1
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
extern const mode_t S_IFMT, S_IFREG, S_IFDIR, S_IFLNK;
#define R_OK (1 << 2)
#define W_OK (1 << 1)
#define X_OK (1 << 0)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGTERM 15
#define SIGTSTP 18
#define SIGCONT 19
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGWINCH 28
#define SIG_SETMASK 3
#define SA_ONSTACK 0x0001
#define SA_RESTART 0x0002
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
#define TIOCGWINSZ 0x40087468ul
#define TCSANOW 0
#define VMIN 16
#define VTIME 17
#define _SC_PAGESIZE 29
#define _SC_NPROCESSORS_ONLN 58
#define RENAME_SWAP 0x00000002
#define MS_ASYNC 0x0001

// Files
int open(const char *, int) OVERLOADS;
int open(const char *, int, mode_t) OVERLOADS;
int close(int);
ssize_t read(int, void *_Null_unspecified, size_t);
ssize_t pread(int, void *_Null_unspecified, size_t, off_t);
ssize_t write(int, const void *_Null_unspecified, size_t);
off_t lseek(int, off_t, int);
int ftruncate(int, off_t);
int fsync(int);
int fcntl(int, int) OVERLOADS;
int fcntl(int, int, int) OVERLOADS;
int flock(int, int);
int fchmod(int, mode_t);
int pipe(int *_Null_unspecified);
int poll(struct darwin_pollfd *_Null_unspecified, nfds_t, int);
int stat(const char *_Null_unspecified, struct darwin_stat *_Null_unspecified);
int lstat(const char *_Null_unspecified, struct darwin_stat *_Null_unspecified);
int fstat(int, struct darwin_stat *_Null_unspecified);
int link(const char *_Null_unspecified, const char *_Null_unspecified);
int unlink(const char *_Null_unspecified);
int rename(const char *, const char *);
int renamex_np(const char *_Null_unspecified, const char *_Null_unspecified, unsigned int);
int remove(const char *_Null_unspecified);
int mkdir(const char *_Null_unspecified, mode_t);
int mkstemp(char *_Null_unspecified);
int access(const char *_Null_unspecified, int);
int getrlimit(int, struct darwin_rlimit *_Null_unspecified);
char *_Null_unspecified getcwd(char *_Null_unspecified, size_t);
char *_Null_unspecified realpath(const char *_Null_unspecified, char *_Null_unspecified);
DIR *_Null_unspecified opendir(const char *_Null_unspecified);
struct darwin_dirent *_Null_unspecified readdir(DIR *_Null_unspecified);
int closedir(DIR *_Null_unspecified);
int msync(void *_Null_unspecified, size_t, int);

typedef struct __sFILE { int _file; } FILE;
FILE *_Null_unspecified fopen(const char *_Null_unspecified, const char *_Null_unspecified);
int fclose(FILE *_Null_unspecified);
char *_Null_unspecified fgets(char *_Null_unspecified, int, FILE *_Null_unspecified);

// Memory and texts
void free(void *_Null_unspecified);
void *_Null_unspecified memchr(const void *_Null_unspecified, int, size_t);
int memcmp(const void *_Null_unspecified, const void *_Null_unspecified, size_t);
int strcmp(const char *_Null_unspecified, const char *_Null_unspecified);
char *_Null_unspecified strdup(const char *_Null_unspecified);
char *_Null_unspecified strerror(int);

// Processes and signals
char *_Nullable *_Nonnull *_Nonnull _NSGetEnviron(void);
char *_Null_unspecified getenv(const char *_Null_unspecified);
pid_t getpid(void);
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
int atexit(void (*)(void));
int kill(pid_t, int);
int raise(int);
int pause(void);
pid_t waitpid(pid_t, int *_Null_unspecified, int);
void (*_Null_unspecified signal(int, void (*_Null_unspecified)(int)))(int);
int sigaction(int, const struct darwin_sigaction *_Null_unspecified, struct darwin_sigaction *_Null_unspecified);
int sigaltstack(const stack_t *_Null_unspecified, stack_t *_Null_unspecified);
int sigemptyset(sigset_t *_Null_unspecified);
int sigfillset(sigset_t *_Null_unspecified);
int sigaddset(sigset_t *_Null_unspecified, int);
int pthread_sigmask(int, const sigset_t *_Null_unspecified, sigset_t *_Null_unspecified);
int posix_spawnp(
    pid_t *_Null_unspecified, const char *_Null_unspecified, const posix_spawn_file_actions_t *_Null_unspecified,
    const posix_spawnattr_t *_Null_unspecified, char *_Nullable const *_Null_unspecified, char *_Nullable const *_Null_unspecified);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *_Null_unspecified);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *_Null_unspecified);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *_Null_unspecified, int, int);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *_Null_unspecified, int, const char *_Null_unspecified, int, mode_t);
int posix_spawnattr_init(posix_spawnattr_t *_Null_unspecified);
int posix_spawnattr_destroy(posix_spawnattr_t *_Null_unspecified);
int posix_spawnattr_setflags(posix_spawnattr_t *_Null_unspecified, short);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *_Null_unspecified, const sigset_t *_Null_unspecified);
int posix_spawnattr_setsigmask(posix_spawnattr_t *_Null_unspecified, const sigset_t *_Null_unspecified);
long sysconf(int);
void *_Null_unspecified dlsym(void *_Null_unspecified, const char *_Null_unspecified);

// Clock
int clock_gettime(clockid_t, struct darwin_timespec *_Null_unspecified);
int nanosleep(const struct darwin_timespec *_Null_unspecified, struct darwin_timespec *_Null_unspecified);

// Terminal
int isatty(int);
int ioctl(int, unsigned long, void *) OVERLOADS;
int tcgetattr(int, struct darwin_termios *_Null_unspecified);
int tcsetattr(int, int, const struct darwin_termios *_Null_unspecified);
void cfmakeraw(struct darwin_termios *_Null_unspecified);

// Threads
int sched_yield(void);
pthread_t pthread_self(void);
void *pthread_get_stackaddr_np(pthread_t);
size_t pthread_get_stacksize_np(pthread_t);
int pthread_create(
    pthread_t _Nullable *_Null_unspecified, const pthread_attr_t *_Nullable, void *_Nullable (*)(void *), void *_Nullable);
int pthread_join(pthread_t, void *_Nullable *_Nullable);
int pthread_detach(pthread_t);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *_Nullable);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *_Nullable);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_timedwait_relative_np(pthread_cond_t *, pthread_mutex_t *, const struct darwin_timespec *_Nullable);
int pthread_key_create(pthread_key_t *, void (*_Nullable)(void *));
void *_Nullable pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *_Nullable);

// Mathematics
#define ONE(name) double name(double);
#define TWO(name) double name(double, double);
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh)
ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(logb) ONE(cbrt) ONE(lgamma) ONE(tgamma) ONE(erf) ONE(erfc)
ONE(j0) ONE(j1) ONE(y0) ONE(y1) TWO(pow) TWO(atan2) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(remainder) TWO(copysign) TWO(fdim)
TWO(fmin) TWO(fmax)
double jn(int, double);
double yn(int, double);

#pragma clang assume_nonnull end
