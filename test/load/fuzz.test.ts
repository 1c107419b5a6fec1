// The short form of `npm run fuzz`: some cases of every target, from a printed seed.
import t, { type Test } from 'tap'
import { seed } from '../support/sample.js'
import { Draw } from './draw.js'
import { fuzz } from './fuzz/fuzz.js'
import type { FuzzTarget } from './fuzz/fuzz-target.js'
import { targets } from './fuzz/targets.js'

t.setTimeout(300_000)
t.comment(`seed ${seed}`)

/** Number of cases of each target, a few seconds of processor time. */
const cases: Readonly<Record<string, number>> = { yaml: 30, state: 8, cms: 30, pdf: 4, requests: 60 }

async function run(t: Test, target: FuzzTarget, count: number) {
  const lines: string[] = []
  const summary = await fuzz(target, { seed, cases: count, report: (line) => lines.push(line) })
  for (const line of lines) t.comment(line)
  return { ...summary, lines }
}

for (const target of targets)
  t.test(`mutated input of the target ${target.name} is answered as documented`, async (t) => {
    const { failures, cases: done } = await run(t, target, cases[target.name] ?? 0)
    t.same(failures, [])
    t.ok(done > 0)
  })

/** Fails for even numbers that it draws. */
const even: FuzzTarget = {
  name: 'even',
  open: async () => ({
    async draw(draw) {
      const number = draw.below(1000)
      const run = async () => {
        if (number % 10 === 0) throw new Error(`${number} was thrown`)
        return number % 2 === 0 ? [`${number} is even`] : []
      }
      return { title: 'a number', files: {}, run }
    },
    close: async () => [],
  }),
}

t.test('a failing case is repeated by its seed, and an exception is a failure', async (t) => {
  const { failures, lines } = await run(t, even, 50)
  t.ok(failures.some(({ complaints }) => /was thrown/.test(complaints.join())))
  for (const failure of failures) {
    t.ok(lines.some((line) => line.includes(`--seed ${failure.seed} --cases 1`)))
    const again = await fuzz(even, { seed: failure.seed, cases: 1, report: () => {} })
    t.equal(again.failures[0]?.complaints[0]?.split('\n')[0], failure.complaints[0]?.split('\n')[0])
  }
})

t.test('equal seeds draw equal cases', async (t) => {
  const drawn = async (target: FuzzTarget) => {
    const session = await target.open(t.testdir())
    try {
      const { files, title } = await session.draw(new Draw(seed))
      return [title, ...Object.values(files).map((content) => Buffer.from(content).toString('base64'))]
    } finally {
      await session.close()
    }
  }
  // The other targets mutate what a fresh server or emulator made, with ids of its own.
  for (const target of targets.filter(({ name }) => name === 'yaml'))
    t.same(await drawn(target), await drawn(target), target.name)
})
