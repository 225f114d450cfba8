/* The article's flood with the game's constants, written plainly for the comparison in bench_chase.py. */
#include <math.h>
#include <stdint.h>

enum { HOT = 20, MAX_HEATED = 25, MAX_STEPS = 30, BARRIER = -1 };

static int bit(const uint8_t *field, uint32_t i) { return field[i >> 3] >> (i & 7) & 1; }

static int behind(const float *xyz, uint32_t a, uint32_t b, const double *h) {
    double x = (double)xyz[3 * b] - xyz[3 * a], y = (double)xyz[3 * b + 1] - xyz[3 * a + 1];
    double z = (double)xyz[3 * b + 2] - xyz[3 * a + 2];
    return x * h[0] + y * h[1] + z * h[2] < -1e-4 * sqrt(x * x + y * y + z * z);
}

typedef struct {
    const double *origin, *size;
    const uint32_t *shape;
    const uint16_t *dense;
    long cells;
} grid;

/* The cell of a point's column with the nearest floor: its own level, or the next below or above within half a level. */
static long cell_at(const grid *g, const float *xyz, const uint8_t *disabled, const double *p) {
    double column = floor((p[0] - g->origin[0]) / g->size[0]), row = floor((p[1] - g->origin[1]) / g->size[1]);
    double level = floor((p[2] - g->origin[2]) / g->size[2] + 1.0 / 1024.0), least = INFINITY;
    long best = -1;
    if (!(column >= 0 && column < g->shape[0] && row >= 0 && row < g->shape[1])) return -1;
    for (int d = -1; d <= 1; d++) {
        if (!(level + d >= 0 && level + d < g->shape[2])) continue;
        uint16_t c = g->dense[((long)(level + d) * g->shape[1] + (long)row) * g->shape[0] + (long)column];
        if (c >= g->cells || bit(disabled, c)) continue;
        double away = fabs(xyz[3 * c + 2] - p[2]);
        if (away < least && (d == 0 || away <= 0.5 * g->size[2])) least = away, best = c;
    }
    return best;
}

void flood_many(const double *origin, const double *size, const uint32_t *shape, const uint16_t *dense,
                const float *xyz, const uint32_t *first, const uint32_t *to, const uint8_t *disabled,
                const uint8_t *blocked, long cells, long floods, const uint32_t *starts, const double *headings,
                int16_t *state, uint32_t *lists, double *out) {
    grid g = {origin, size, shape, dense, cells};
    uint32_t *touched = lists, *front = lists + cells, *next = lists + 2 * cells;
    uint32_t *edge = lists + 3 * cells, *grown = lists + 4 * cells;
    for (long n = 0; n < floods; n++) {
        const double *h = headings + 3 * n;
        long touched_count = 1, front_count = 1, edge_count = 0, steps = 0;
        touched[0] = front[0] = starts[n];
        state[starts[n]] = 1;
        for (uint32_t k = first[starts[n]]; k < first[starts[n] + 1]; k++) {
            uint32_t o = to[k];
            if (state[o] || bit(blocked, k) || bit(disabled, o) || !behind(xyz, starts[n], o, h)) continue;
            state[o] = BARRIER;
            edge[edge_count++] = touched[touched_count++] = o;
        }
        while (steps < MAX_STEPS) {
            long gained = 0, grew = 0;
            for (long i = 0; i < front_count; i++)
                for (uint32_t k = first[front[i]]; k < first[front[i] + 1]; k++) {
                    uint32_t o = to[k];
                    int16_t s = state[o];
                    if (s && (s < 0 || HOT - steps + s - 1 > 0)) continue;
                    if (bit(blocked, k) || bit(disabled, o)) continue;
                    if (!s) touched[touched_count++] = o;
                    state[o] = steps + 2;
                    next[gained++] = o;
                }
            if (!gained) break;
            steps++;
            for (long i = 0; i < edge_count; i++)
                for (uint32_t k = first[edge[i]]; k < first[edge[i] + 1]; k++) {
                    uint32_t o = to[k];
                    int16_t s = state[o];
                    if (s && (s < 0 || HOT - steps + s - 1 > 0)) continue;
                    if (bit(blocked, k) || bit(disabled, o) || !behind(xyz, edge[i], o, h)) continue;
                    if (!s) touched[touched_count++] = o;
                    state[o] = BARRIER;
                    grown[grew++] = o;
                }
            uint32_t *swap = front;
            front = next, next = swap, front_count = gained;
            swap = edge, edge = grown, grown = swap, edge_count = grew;
            if (gained > MAX_HEATED) break;
        }
        double total = 0, x = 0, y = 0, z = 0;
        for (long i = 0; i < touched_count; i++) {
            uint32_t c = touched[i];
            double left = HOT - steps + state[c] - 1;
            if (state[c] <= 0 || left <= 0) continue;
            total += left, x += left * xyz[3 * c], y += left * xyz[3 * c + 1], z += left * xyz[3 * c + 2];
        }
        double mean[3] = {x / total, y / total, z / total}, least = INFINITY;
        long cell = cell_at(&g, xyz, disabled, mean);
        if (cell < 0 || state[cell] <= 0 || HOT - steps + state[cell] - 1 <= 0) {
            for (long i = 0; i < touched_count; i++) {
                uint32_t c = touched[i];
                if (state[c] <= 0 || HOT - steps + state[c] - 1 <= 0) continue;
                double dx = xyz[3 * c] - mean[0], dy = xyz[3 * c + 1] - mean[1], dz = xyz[3 * c + 2] - mean[2];
                double away = dx * dx + dy * dy + dz * dz;
                if (away < least || (away == least && c < cell)) least = away, cell = c;
            }
        }
        out[5 * n] = mean[0], out[5 * n + 1] = mean[1], out[5 * n + 2] = mean[2];
        out[5 * n + 3] = steps, out[5 * n + 4] = cell;
        for (long i = 0; i < touched_count; i++) state[touched[i]] = 0;
    }
}
