// Long tests run a seeded sample, and everything with STEWARD_TEST_LONG=1 (`npm run test:long`).

export const isLong = process.env['STEWARD_TEST_LONG'] === '1'

/** Always the same where many wait for the result, so that a red run is theirs; another one in each run at home. */
const ciSeed = 20_261_121

/** STEWARD_TEST_SEED brings one back. */
export const seed = Number(process.env['STEWARD_TEST_SEED'] ?? (process.env['CI'] ? ciSeed : anySeed()))

function anySeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

export function sampleOf(size: number): { readonly sample?: { readonly size: number; readonly seed: number } } {
  return isLong ? {} : { sample: { size, seed } }
}

/** For tests that run everything when they run long: the runner waits for them. */
export const longTimeoutMs = 3 * 60 * 60 * 1000
