/* The same layout as kernels/rule_match.py, written plainly for the comparison in bench_rules.py. */
#include <math.h>
#include <stdint.h>

/* The row of a value among cuts[low..high): 2k before the k-th cut, 2k + 1 on it. */
static uint32_t row_of(const double *cuts, uint32_t low, uint32_t high, double value) {
    uint32_t first = low, end = high;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (cuts[middle] < value) low = middle + 1;
        else high = middle;
    }
    return 2 * (low - first) + (low < end && cuts[low] == value);
}

void match_many(const uint32_t *cut_start, const double *cuts, const uint32_t *row_start, const uint64_t *rows,
                long words, long variables, const uint64_t *allowed, const double *facts, long count, int32_t *found) {
    uint64_t left[1024];
    for (long n = 0; n < count; n++, facts += variables) {
        for (long w = 0; w < words; w++) left[w] = allowed[w];
        for (long v = 0; v < variables; v++) {
            uint32_t row = isnan(facts[v]) ? row_start[v + 1] - 1
                                           : row_start[v] + row_of(cuts, cut_start[v], cut_start[v + 1], facts[v]);
            uint64_t any = 0;
            for (long w = 0; w < words; w++) any |= left[w] &= rows[row * words + w];
            if (!any) break;
        }
        found[n] = -1;
        for (long w = 0; w < words; w++)
            if (left[w]) {
                found[n] = (int32_t)(64 * w + __builtin_ctzll(left[w]));
                break;
            }
    }
}
