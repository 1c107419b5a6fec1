// Tests the conformance suite: typical mistakes of plugin authors are put into the example one by one, and for each a stage
// must fail, with a message that explains the mistake and its place.
import t from 'tap'
import { isLong, longTimeoutMs } from '../support/sample.js'
import { acme, type Example, runStages } from './seeded/example.js'
import { faults } from './seeded/faults.js'

for (const [what, { stage, says, seed }] of Object.entries(faults))
  t.test(`the suite detects: ${what}`, { timeout: longTimeoutMs }, async (t) => {
    const seeded: Example = seed(acme)
    // A mistake may make earlier stages fail too, so only the stage about it runs.
    const red = await runStages(seeded, (title) => isLong || title.includes(stage))
    const found = red.find(({ title }) => title.includes(stage))
    t.ok(found, `no stage "${stage}" is red`)
    t.match(found?.message ?? '', says)
    t.comment(`${found?.title}\n${found?.message}`)
  })

t.test('the suite finds nothing in the example as it is', async (t) => {
  const stages = new Set(Object.values(faults).map(({ stage }) => stage))
  const red = await runStages(acme, (title) => [...stages].some((stage) => title.includes(stage)))
  t.same(red, [])
})
