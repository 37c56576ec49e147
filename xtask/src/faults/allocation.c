/* Preloaded: of the allocations of a program, the one with the number FAULTS_NTH fails. With the number 0 none fails, and at the
 * end their count is written to the file FAULTS_COUNT. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long nth;
static unsigned long count;

__attribute__((constructor)) static void start(void)
{
    const char *wanted = getenv("FAULTS_NTH");
    nth = wanted ? strtoul(wanted, NULL, 10) : 0;
    __atomic_store_n(&count, 0, __ATOMIC_RELAXED);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAULTS_COUNT");
    unsigned long counted = __atomic_load_n(&count, __ATOMIC_RELAXED);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", counted);
        fclose(file);
    }
}

static int fails(void)
{
    int it = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) == nth && nth > 0;
    if (it)
        errno = ENOMEM;
    return it;
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    void *found = fails() ? NULL : __libc_memalign(alignment, size);
    *to = found;
    return found ? 0 : ENOMEM;
}
