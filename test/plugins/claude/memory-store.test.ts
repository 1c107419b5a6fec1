// The header of calls of memory stores on Claude.
import t from 'tap'
import { openClaude } from './subject.js'

t.test('calls of memory stores have only their own beta header', async (t) => {
  const bench = await openClaude(t)
  bench.declare('memory_store', 'notes', {})
  await bench.create('memory_store', 'notes')
  const refused = await bench.request('GET', '/memory_stores')
  t.equal(refused.status, 400, 'the header of the other calls is refused')
  t.same(await bench.listed('memory_store'), [bench.id('memory_store', 'notes')])
})
