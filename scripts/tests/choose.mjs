// Which test files a run contains, and in which order.
import { root, testsOf } from './sources.mjs'

/** Folders of `test/workers` that draw every page, cross all ops with all files, or break threads. */
const dearRooms = 'annotations|change|forms|merge|ops|pool|redaction'
/** What `npm test` runs: folders that need no server, browser, crash or foreign service, and take minutes together. */
const everyday = new RegExp(`^test/(?:(?:core|plugins|docs|specification)/|workers/(?!(?:${dearRooms})/)|[^/]*$)`)
export const isEveryday = (test) => everyday.test(test)

/** Returns the test files of the everyday tier, or all of them with the everyday tier first. */
export function allTests({ isAll }) {
  return testsOf(root).filter((test) => isAll || isEveryday(test))
}

/** The everyday tier first, in it the longest first: a long file that starts last delays the end. */
export function inOrder(tests, secondsOf) {
  return tests.toSorted((a, b) => Number(isEveryday(b)) - Number(isEveryday(a)) || secondsOf(b) - secondsOf(a))
}

/** Returns the part `index` of `count` (from 1), so that all parts take about as long. */
export function shardOf(tests, { index, count }, secondsOf) {
  const shards = Array.from({ length: count }, () => ({ seconds: 0, tests: [] }))
  for (const test of tests.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const shortest = shards.reduce((least, shard) => (shard.seconds < least.seconds ? shard : least))
    shortest.seconds += secondsOf(test)
    shortest.tests.push(test)
  }
  return shards[index - 1].tests
}
