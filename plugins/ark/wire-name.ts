// Derives names of environments, which are unique in the account's project and have a restricted alphabet, from display
// names.
/** Length of names; their pattern is `[a-z0-9]`, then `[a-z0-9_.-]`. */
const lengthMin = 3
const lengthMax = 64

/** Highest suffix that is tried if the plain name is in use: `-1` to `-15`. */
const suffixMax = 15

/** Yields the name as far as the alphabet allows, then with increasing suffixes. */
export function* wireNames(name: string): Generator<string> {
  const base = wireName(name)
  yield base
  for (let suffix = 1; suffix <= suffixMax; suffix++) {
    const tail = `-${suffix}`
    yield base.slice(0, lengthMax - tail.length) + tail
  }
}

/** Returns the name without a suffix. */
export function wireName(name: string): string {
  const allowed = name
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .replace(/[^a-z0-9]+$/, '')
  const long = allowed.length >= lengthMin ? allowed : ['env', allowed].filter(Boolean).join('-')
  return long.slice(0, lengthMax)
}
