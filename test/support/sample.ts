// Seeded samples for long tests, which run completely with STEWARD_TEST_LONG=1 (`npm run test:long`).

export const isLong = process.env['STEWARD_TEST_LONG'] === '1'

/** Constant in continuous integration, so that a failure is caused by the change; random in local runs. */
const ciSeed = 20_261_121

/** Set with STEWARD_TEST_SEED to repeat a run. */
export const seed = Number(process.env['STEWARD_TEST_SEED'] ?? (process.env['CI'] ? ciSeed : anySeed()))

function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

export function sampleOf(size: number): { readonly sample?: { readonly size: number; readonly seed: number } } {
  return isLong ? {} : { sample: { size, seed } }
}

/** Timeout of tests that are complete in a long run. */
export const longTimeoutMs = 3 * 60 * 60 * 1000
