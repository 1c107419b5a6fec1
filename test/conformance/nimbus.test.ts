// A plugin for a service that is harder than the example's: it passes the whole suite, and of 26 mistakes seeded into it each is
// found by the stage about it, whose message names the request or member.
import t from 'tap'
import { isLong, longTimeoutMs } from '../support/sample.js'
import { nimbusFaults } from './nimbus/faults.js'
import { nimbusExample } from './nimbus/subject.js'
import { runStages } from './seeded/example.js'

const stages = [...Object.values(nimbusFaults).map(({ stage }) => stage), 'one request in five']

t.test(
  'the suite finds nothing in a plugin that signs in, follows links, polls and waits',
  { timeout: longTimeoutMs },
  async (t) => {
    t.same(await runStages(nimbusExample, (title) => isLong || stages.some((stage) => title.includes(stage))), [])
  },
)

t.equal(Object.keys(nimbusFaults).length, 26)

for (const [what, { stage, says, seed }] of Object.entries(nimbusFaults))
  t.test(`the suite detects: ${what}`, { timeout: longTimeoutMs }, async (t) => {
    const red = await runStages(seed(nimbusExample), (title) => title.includes(stage))
    const found = red.find(({ title }) => title.includes(stage))
    t.ok(found, `no stage "${stage}" is red`)
    t.match(found?.message ?? '', says)
  })
