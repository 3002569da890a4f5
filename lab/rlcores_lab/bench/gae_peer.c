// Generalised advantages of T steps of N environments: the CPU peer of the GAE core.
//
// Rows are steps, so the inner loop runs over environments and vectorises. `done` marks both ends of an episode;
// the few steps of truncated ones are then put right with the value of the final observation: cut_at[] holds their
// places t*N + n in rising order, cut_value[] those values. `carry` is room for N floats.
#include <stddef.h>
#include <stdint.h>

void gae(size_t steps, size_t count, const float *restrict rewards, const float *restrict values,
         const uint8_t *restrict done, const float *restrict bootstrap, size_t cuts, const int64_t *restrict cut_at,
         const float *restrict cut_value, float gamma, float lambda, float *restrict carry,
         float *restrict advantages, float *restrict returns)
{
    const float decay = gamma * lambda;
    for (size_t n = 0; n < count; ++n) carry[n] = 0.0f;
    for (size_t t = steps; t-- > 0;) {
        const float *r = rewards + t * count;
        const float *v = values + t * count;
        const float *next = t + 1 == steps ? bootstrap : v + count;
        const uint8_t *end = done + t * count;
        float *a = advantages + t * count;
        float *g = returns + t * count;
        for (size_t n = 0; n < count; ++n) {
            const float ahead = gamma * next[n] + decay * carry[n];
            const float x = r[n] - v[n] + (end[n] ? 0.0f : ahead);
            carry[n] = x;
            a[n] = x;
            g[n] = x + v[n];
        }
        for (; cuts > 0 && (size_t)cut_at[cuts - 1] >= t * count; --cuts) {
            const size_t n = (size_t)cut_at[cuts - 1] - t * count;
            const float x = r[n] - v[n] + gamma * cut_value[cuts - 1];
            carry[n] = x;
            a[n] = x;
            g[n] = x + v[n];
        }
    }
}
