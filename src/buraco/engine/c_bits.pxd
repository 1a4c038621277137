# Inline C for compiled modules (cimport only; bits.py serves uncompiled runs).
cdef extern from *:
    """
    #include <string.h>
    static inline long long buraco_ctz(long long m) { return __builtin_ctzll((unsigned long long)m); }
    static inline long long buraco_popcount(long long m) { return __builtin_popcountll((unsigned long long)m); }
    static inline long long buraco_bit(long long c) { return (long long)(1ULL << c); }
    static inline void buraco_words(long long *t, const long long *s, long long n) { memcpy(t, s, (size_t)n * sizeof(long long)); }
    static inline void buraco_bytes(unsigned char *t, const unsigned char *s, long long n) { memcpy(t, s, (size_t)n); }
    """
    long long ctz "buraco_ctz"(long long m) noexcept nogil
    long long popcount "buraco_popcount"(long long m) noexcept nogil
    long long bit "buraco_bit"(long long c) noexcept nogil
    void copy_words "buraco_words"(long long *t, const long long *s, long long n) noexcept nogil
    void copy_bytes "buraco_bytes"(unsigned char *t, const unsigned char *s, long long n) noexcept nogil
