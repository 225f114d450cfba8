/* Lines of sight over the same walls, triangles and grid, written plainly for the comparison in bench_sight.py. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum { LEFT = 1, RIGHT = 2, BOTH = 3 };

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

static int along(const double *w, const double *a, const double *d) {
    double length2 = d[0] * d[0] + d[1] * d[1];
    if (length2 == 0.0) return 0;
    double s0 = ((w[0] - a[0]) * d[0] + (w[1] - a[1]) * d[1]) / length2;
    double s1 = ((w[2] - a[0]) * d[0] + (w[3] - a[1]) * d[1]) / length2;
    double first = most(least(s0, s1), 0.0), last = least(most(s0, s1), 1.0);
    double z0 = a[2] + first * d[2], z1 = a[2] + last * d[2];
    if (first >= last || least(z0, z1) >= most(w[5], w[7]) || most(z0, z1) < least(w[4], w[6])) return 0;
    return s1 > s0 ? RIGHT : LEFT;
}

static int wall_sides(const double *w, const double *a, const double *d) {
    double s0 = d[0] * (w[1] - a[1]) - d[1] * (w[0] - a[0]), s1 = d[0] * (w[3] - a[1]) - d[1] * (w[2] - a[0]);
    int sides = ((s0 > 0.0) != (s1 > 0.0) ? LEFT : 0) | ((s0 >= 0.0) != (s1 >= 0.0) ? RIGHT : 0);
    if (!sides) return s0 == 0.0 && s1 == 0.0 ? along(w, a, d) : 0;
    double ex = w[2] - w[0], ey = w[3] - w[1], slack = 1e-6 * (fabs(ex) + fabs(ey));
    double before = ex * (a[1] - w[1]) - ey * (a[0] - w[0]);
    double behind = ex * (a[1] + d[1] - w[1]) - ey * (a[0] + d[0] - w[0]);
    if ((before < -slack) == (behind < -slack)) return 0;
    double z = a[2] + least(most(before / (before - behind), 0.0), 1.0) * d[2], share = s0 / (s0 - s1);
    return w[4] + share * (w[6] - w[4]) <= z && z < w[5] + share * (w[7] - w[5]) ? sides : 0;
}

static double turn(const double *p, const double *q, const double *a, const double *d) {
    double px = p[0] - a[0], py = p[1] - a[1], pz = p[2] - a[2];
    double qx = q[0] - a[0], qy = q[1] - a[1], qz = q[2] - a[2];
    return d[0] * (py * qz - pz * qy) + d[1] * (pz * qx - px * qz) + d[2] * (px * qy - py * qx);
}

static int hits(const double *t, const double *a, const double *d) {
    double before = t[3] * a[0] + t[4] * a[1] + t[5] * a[2] - t[6];
    double behind = before + t[3] * d[0] + t[4] * d[1] + t[5] * d[2], slack = t[2];
    if (!((before > slack && behind < -slack) || (before < -slack && behind > slack))) return 0;
    double u = turn(t + 7, t + 10, a, d), v = turn(t + 10, t + 13, a, d), w = turn(t + 13, t + 7, a, d);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

static int is_clear(const double *wall, const double *triangle, const double *grid, const uint32_t *column,
                    const double *a, const double *b) {
    if (a[0] > b[0] || (a[0] == b[0] && (a[1] > b[1] || (a[1] == b[1] && a[2] > b[2])))) {
        const double *other = a;
        a = b, b = other;
    }
    double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, low = least(a[2], b[2]), high = most(a[2], b[2]);
    double x = (a[0] - grid[0]) * grid[2], y = (a[1] - grid[1]) * grid[2], first = 0.0, last = 1.0;
    double sx = d[0] * grid[2], sy = d[1] * grid[2];
    for (int axis = 0; axis < 2; axis++) {
        double start = axis ? y : x, step = axis ? sy : sx, size = grid[3 + axis];
        if (step == 0.0) {
            if (start < 0.0 || start > size) return 1;
            continue;
        }
        double one = -start / step, other = (size - start) / step;
        first = most(first, least(one, other)), last = least(last, most(one, other));
    }
    if (first > last) return 1;
    int64_t columns = (int64_t)grid[3], rows = (int64_t)grid[4], up = sy > 0.0 ? 1 : -1;
    int64_t c = (int64_t)(x + first * sx), r = (int64_t)(y + first * sy);
    c = c < 0 ? 0 : c >= columns ? columns - 1 : c;
    r = r < 0 ? 0 : r >= rows ? rows - 1 : r;
    double per_x = sx > 0.0 ? 1.0 / sx : INFINITY, per_y = sy != 0.0 ? 1.0 / fabs(sy) : INFINITY;
    double next_x = sx > 0.0 ? (c + 1 - x) * per_x : INFINITY;
    double next_y = sy != 0.0 ? fabs(r + (up > 0) - y) * per_y : INFINITY;
    for (int sides = 0;;) {
        const uint32_t *place = column + 2 * (r * columns + c);
        for (uint32_t k = place[0]; k < place[1]; k++) {
            sides |= wall_sides(wall + 8 * (size_t)column[k], a, d);
            if (sides == BOTH) return 0;
        }
        for (uint32_t k = place[1]; k < place[2]; k++) {
            const double *t = triangle + 16 * (size_t)column[k];
            if (t[0] <= high && t[1] >= low && hits(t, a, d)) return 0;
        }
        if (least(next_x, next_y) > last) return 1;
        if (next_x < next_y) {
            c++, next_x += per_x;
            if (c >= columns) return 1;
        } else {
            r += up, next_y += per_y;
            if (r < 0 || r >= rows) return 1;
        }
    }
}

void clear_lines(const double *wall, const double *triangle, const double *grid, const uint32_t *column, long count,
                 const double *eyes, const double *points, uint8_t *out) {
    for (long i = 0; i < count; i++) out[i] = is_clear(wall, triangle, grid, column, eyes + 3 * i, points + 3 * i);
}
