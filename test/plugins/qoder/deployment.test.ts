// Schedules of deployments that the older API of Qoder keeps.
import t from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import { openQoder } from './subject.js'

t.test('2.16 a schedule that the older API cannot remove is reported with a fix', async (t) => {
  const bench = await openQoder(t)
  const minimal = {
    agent: 'helper',
    environment: 'sandbox',
    initial_events: [{ type: 'user.message', content: 'Go.' }],
  }
  bench.declare('environment', 'sandbox', {})
  bench.declare('agent', 'helper', { model: 'auto', instructions: 'Help.' })
  const schedule = { expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' }
  bench.declare('deployment', 'nightly', { ...minimal, schedule })
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  await bench.turn({ dialect: 'pages' })
  bench.declare('deployment', 'nightly', minimal)
  t.match(await refusalOf(bench.update('deployment', 'nightly')), [
    { code: 'qoder.schedule-kept', fix: /Remove the deployment and apply/ },
  ])
})
