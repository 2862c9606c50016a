/* A clock that runs RATE times as fast as the real one, for every program that this library is
 * loaded into (LD_PRELOAD). To such a program, the machine is RATE times slower than it is: waits
 * and limits in seconds end early, and everything else takes as long as ever. `make soak` uses it.
 *
 * CLOCK_RATE, CLOCK_REALTIME and CLOCK_MONOTONIC hold the rate and when, in nanoseconds, the clocks
 * began to run fast; processes that share them agree on the time. Waits that the kernel is asked
 * for with a relative time, as by poll, are left alone: they only end late. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef long long nanoseconds;
typedef const struct timespec* Time;

enum { REAL, MONOTONIC, OTHER };

static nanoseconds rate = 1, begun[2];

static nanoseconds number(const char* name) {
  const char* text = getenv(name);
  return text ? atoll(text) : 0;
}

__attribute__((constructor)) static void begin(void) {
  rate = number("CLOCK_RATE");
  begun[REAL] = number("CLOCK_REALTIME");
  begun[MONOTONIC] = number("CLOCK_MONOTONIC");
}

static int kind(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      return REAL;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
      return MONOTONIC;
    default:
      return OTHER; /* Processor time is what it is. */
  }
}

static nanoseconds count(Time time) { return time->tv_sec * 1000000000LL + time->tv_nsec; }

static struct timespec as_time(nanoseconds count) {
  return (struct timespec){count / 1000000000, count % 1000000000};
}

/* When the real clock shows what the fast one shows at `end`. */
static struct timespec real(int kind, Time end) {
  nanoseconds begin = kind == OTHER ? 0 : begun[kind];
  if (kind == OTHER || end->tv_sec > 1LL << 32 || count(end) <= begin) return *end;
  return as_time(begin + (count(end) - begin) / rate);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  int which = kind(clock);
  int failed = (int)syscall(SYS_clock_gettime, clock, now);
  if (!failed && which != OTHER) *now = as_time(begun[which] + (count(now) - begun[which]) * rate);
  return failed;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  struct timespec time;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &time);
  *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* kept) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (kept) *kept = now.tv_sec;
  return now.tv_sec;
}

int clock_nanosleep(clockid_t clock, int flags, Time end, struct timespec* left) {
  struct timespec until = *end;
  if (kind(clock) != OTHER)
    until = flags & TIMER_ABSTIME ? real(kind(clock), end) : as_time(count(end) / rate);
  return syscall(SYS_clock_nanosleep, clock, flags, &until, left) ? errno : 0;
}

int nanosleep(Time length, struct timespec* left) {
  errno = clock_nanosleep(CLOCK_MONOTONIC, 0, length, left);
  return errno ? -1 : 0;
}

int sem_timedwait(sem_t* semaphore, Time end) {
  static int (*wait)(sem_t*, Time);
  struct timespec until = real(REAL, end);
  if (!wait) *(void**)&wait = dlsym(RTLD_NEXT, "sem_timedwait");
  return wait(semaphore, &until);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, Time end) {
  static int (*wait)(sem_t*, clockid_t, Time);
  struct timespec until = real(kind(clock), end);
  if (!wait) *(void**)&wait = dlsym(RTLD_NEXT, "sem_clockwait");
  return wait(semaphore, clock, &until);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, Time end) {
  static int (*wait)(pthread_cond_t*, pthread_mutex_t*, Time);
  /* The condition's clock is its secret, but the monotonic one began with the machine. */
  struct timespec until = real(count(end) < begun[REAL] / 2 ? MONOTONIC : REAL, end);
  /* Without its version, dlsym may find one for programs of 2002. Other processors never had that.
   */
  if (!wait) *(void**)&wait = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!wait) *(void**)&wait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  return wait(condition, mutex, &until);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           Time end) {
  static int (*wait)(pthread_cond_t*, pthread_mutex_t*, clockid_t, Time);
  struct timespec until = real(kind(clock), end);
  if (!wait) *(void**)&wait = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  return wait(condition, mutex, clock, &until);
}
