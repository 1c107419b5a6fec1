// Names of environments: unique in the account's project and of a narrow alphabet, unlike the names people give.
/** The server's pattern: `[a-z0-9]`, then `[a-z0-9_.-]`, this many characters in all. */
const lengthMin = 3
const lengthMax = 64

/** Highest suffix that is tried if the plain name is taken: `-1` to `-15`. */
const suffixMax = 15

/** The name itself as far as the alphabet allows, then the same with rising suffixes. */
export function* wireNames(name: string): Generator<string> {
  const base = wireName(name)
  yield base
  for (let suffix = 1; suffix <= suffixMax; suffix++) {
    const tail = `-${suffix}`
    yield base.slice(0, lengthMax - tail.length) + tail
  }
}

/** The plain name. */
export function wireName(name: string): string {
  const allowed = name
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .replace(/[^a-z0-9]+$/, '')
  const long = allowed.length >= lengthMin ? allowed : ['env', allowed].filter(Boolean).join('-')
  return long.slice(0, lengthMax)
}
