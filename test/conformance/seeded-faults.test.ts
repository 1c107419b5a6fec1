// The suite is only worth what it finds: mistakes that authors of plugins make, put into the example one by one. For
// each there is a stage that turns red, with a message that says what is wrong and where to look.
import t from 'tap'
import { isLong, longTimeoutMs } from '../support/sample.js'
import { acme, type Example, runStages } from './seeded/example.js'
import { faults } from './seeded/faults.js'

for (const [what, { stage, says, seed }] of Object.entries(faults))
  t.test(`the suite notices: ${what}`, { timeout: longTimeoutMs }, async (t) => {
    const seeded: Example = seed(acme)
    // Whole, a mistake may turn an earlier stage red, too; here only the one that is about it runs.
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
