// SHA-256 as FIPS 180-4 describes it: the digest of `text` in small hexadecimal letters.
#pragma once
#include <cmath>
#include <cstdint>
#include <string>

inline std::string sha256(std::string text) {
    auto turn = [](uint32_t x, int n) { return x >> n | x << (32 - n); };
    uint32_t h[8], k[64], w[64];
    for (int n = 2, found = 0; found < 64; n++) {  // constants: fractions of the roots of the first primes
        bool prime = true;
        for (int d = 2; d * d <= n; d++) prime = prime && n % d != 0;
        if (!prime) continue;
        auto fraction = [](long double x) { return uint32_t((x - std::floor(x)) * 4294967296.0L); };
        if (found < 8) h[found] = fraction(std::sqrt((long double)n));
        k[found++] = fraction(std::cbrt((long double)n));
    }
    const uint64_t bits = uint64_t(text.size()) * 8;
    text += char(0x80);
    while (text.size() % 64 != 56) text += char(0);
    for (int n = 56; n >= 0; n -= 8) text += char(bits >> n);
    for (size_t block = 0; block < text.size(); block += 64) {
        for (size_t i = 0; i < 16; i++) {
            w[i] = 0;
            for (size_t b = 0; b < 4; b++) w[i] = w[i] << 8 | static_cast<unsigned char>(text[block + 4 * i + b]);
        }
        for (int i = 16; i < 64; i++)
            w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
                   (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
        uint32_t v[8];
        for (int i = 0; i < 8; i++) v[i] = h[i];
        for (int i = 0; i < 64; i++) {
            const uint32_t one = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) +
                                 ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
            const uint32_t two = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) +
                                 ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            for (int j = 7; j > 0; j--) v[j] = v[j - 1];
            v[4] += one, v[0] = one + two;
        }
        for (int i = 0; i < 8; i++) h[i] += v[i];
    }
    std::string digest;
    for (uint32_t word : h) for (int n = 28; n >= 0; n -= 4) digest += "0123456789abcdef"[word >> n & 15];
    return digest;
}
