// Tells the thread sanitizer of the contended half of Synchronization.Mutex on Linux.
//
// There the mutex is a futex. Its fast paths are inlined into our code, where the sanitizer sees them; its slow paths, for a
// mutex that another thread holds or waits for, are two functions of the toolchain's libswiftSynchronization.so, which is not
// built for the sanitizer. So a lock that was waited for orders nothing in its eyes, and whatever the mutex guards is reported
// as a race: a program of four threads that count under one Mutex does (run in `.ci/thread-sanitizer/run`, with and without
// this file). This library, put before that one by LD_PRELOAD, calls the same two functions and tells the sanitizer what they
// do: having waited for a lock acquires what was released on its address, and handing one over releases. It hides nothing
// else: two accesses without a lock in common are still reported (the same run checks that too).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Weak: programs that are not built for the sanitizer, such as `swift test` itself, inherit LD_PRELOAD too.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*LockSlow)(uint32_t thread, SELF void *handle);
typedef SWIFT void (*UnlockSlow)(SELF void *handle);

// Looked up each time: no state of our own that the sanitizer would have to order.
SWIFT void lock_slow(uint32_t thread, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF void *handle) {
    ((LockSlow)dlsym(RTLD_NEXT, LOCK_SLOW))(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF void *handle) {
    if (__tsan_release) __tsan_release(handle);
    ((UnlockSlow)dlsym(RTLD_NEXT, UNLOCK_SLOW))(handle);
}
