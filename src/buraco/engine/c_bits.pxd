# Inline C for compiled modules (cimport only; bits.py serves uncompiled runs).
cdef extern from *:
    """
    #include <string.h>
    /* Without -mpopcnt the builtin is a call of a function; wheels may not ask for a newer processor. */
    static inline long long buraco_popcount(long long m) {
        unsigned long long x = (unsigned long long)m;
        x -= (x >> 1) & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
        x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
        return (long long)((x * 0x0101010101010101ULL) >> 56);
    }
    #if defined(__GNUC__)
    static inline long long buraco_ctz(long long m) { return __builtin_ctzll((unsigned long long)m); }
    #elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
    #include <intrin.h>
    static inline long long buraco_ctz(long long m) {
        unsigned long place;
        _BitScanForward64(&place, (unsigned __int64)m);
        return (long long)place;
    }
    #else
    static inline long long buraco_ctz(long long m) {
        return buraco_popcount((long long)(((unsigned long long)m - 1) & ~(unsigned long long)m));
    }
    #endif
    static inline long long buraco_bit(long long c) { return (long long)(1ULL << c); }
    static inline void buraco_words(long long *t, const long long *s, long long n) { memcpy(t, s, (size_t)n * sizeof(long long)); }
    static inline void buraco_bytes(unsigned char *t, const unsigned char *s, long long n) { memcpy(t, s, (size_t)n); }
    #define buraco_item(list, i) ((void *)PyList_GET_ITEM(list, i))
    #if defined(__GNUC__) || defined(__clang__)
    #define buraco_fetch_line(p) __builtin_prefetch(p)
    #else
    #define buraco_fetch_line(p) ((void)(p))
    #endif
    static inline void buraco_fetch(void *object) {
        Py_ssize_t at, size = Py_TYPE((PyObject *)object)->tp_basicsize;
        for (at = 0; at < size; at += 64) buraco_fetch_line((char *)object + at);
    }
    """
    long long ctz "buraco_ctz"(long long m) noexcept nogil
    long long popcount "buraco_popcount"(long long m) noexcept nogil
    long long bit "buraco_bit"(long long c) noexcept nogil
    void copy_words "buraco_words"(long long *t, const long long *s, long long n) noexcept nogil
    void copy_bytes "buraco_bytes"(unsigned char *t, const unsigned char *s, long long n) noexcept nogil
    void *item "buraco_item"(list items, Py_ssize_t index) noexcept nogil
    void fetch "buraco_fetch"(void *object) noexcept nogil
