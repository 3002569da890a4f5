// recorder.c — what a program writes to a folder, in its order: a library to be loaded before all others.
// SPDX-License-Identifier: Apache-2.0
//
// RECORDED is the folder. RECORD is the log: a line each, "write NAME OFFSET HEX", "cut NAME BYTES", "sync NAME", "name OLD NEW",
// "names" (the folder itself is synced); "map HEX" before each write: what the mapped file `records` holds by then.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *out;

static const char *name_of(int file) {
    static char place[PATH_MAX], link[64];
    const char *folder = getenv("RECORDED");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t n = readlink(link, place, sizeof place - 1);
    if (!folder || n < 0) return NULL;
    place[n] = 0;
    const size_t long_ = strlen(folder);
    if (strncmp(place, folder, long_)) return NULL;
    if (!out) out = fopen(getenv("RECORD"), "w"), setvbuf(out, NULL, _IOLBF, 0);
    return place[long_] ? place + long_ + 1 : "";
}

static void hex(const unsigned char *data, size_t n) {
    for (size_t i = 0; i < n; ++i) fprintf(out, "%02x", data[i]);
    fputc('\n', out);
}

static void mapped(void) {
    static unsigned char data[1 << 16];
    char path[PATH_MAX];
    for (int new_ = 0; new_ < 2; ++new_) {
        snprintf(path, sizeof path, "%s/records%s", getenv("RECORDED"), new_ ? ".new" : "");
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) continue;
        const ssize_t n = pread(file, data, sizeof data, 0);
        close(file);
        fprintf(out, "map records%s ", new_ ? ".new" : ""), hex(data, n > 0 ? (size_t)n : 0);
    }
}

ssize_t write(int file, const void *data, size_t n) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    const char *name = file > 2 ? name_of(file) : NULL;
    const off_t before = name && !(fcntl(file, F_GETFL) & O_APPEND) ? lseek(file, 0, SEEK_CUR) : lseek(file, 0, SEEK_END);
    const ssize_t done = real(file, data, n);
    if (name && done > 0 && name[0]) {
        mapped();
        name = name_of(file);
        fprintf(out, "write %s %ld ", name, (long)before), hex(data, (size_t)done);
    }
    return done;
}

int ftruncate(int file, off_t n) {
    static int (*real)(int, off_t);
    if (!real) real = (int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate");
    const char *name = name_of(file);
    const int done = real(file, n);
    if (name && !done) fprintf(out, "cut %s %ld\n", name, (long)n);
    return done;
}
int ftruncate64(int file, off_t n) { return ftruncate(file, n); }

int fsync(int file) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    const char *name = name_of(file);
    if (name) {
        mapped();
        name = name_of(file);
        if (name[0])
            fprintf(out, "sync %s\n", name);
        else
            fprintf(out, "names\n");
    }
    return real(file);
}

static const char *inside(const char *path) {
    const char *folder = getenv("RECORDED");
    const size_t n = folder ? strlen(folder) : 0;
    return n && !strncmp(path, folder, n) && path[n] == '/' ? path + n + 1 : NULL;
}

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (!real) real = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    const int done = real(from, to);
    if (!done && out && inside(from) && inside(to)) fprintf(out, "name %s %s\n", inside(from), inside(to));
    return done;
}
