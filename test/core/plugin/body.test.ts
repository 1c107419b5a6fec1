// Update bodies from what changed.
import t from 'tap'
import { fullBody, patchBody } from '../../../core/plugin/body.js'
import type { FieldTable } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'

const change = (...paths: string[]) => paths.map((path) => ({ path, before: 'x', after: 'y' }))

function patched(fields: FieldTable, desired: JsonObject, observed: JsonObject, ...paths: string[]): JsonObject {
  return patchBody(fields, { desired, observed, changes: change(...paths) })
}

t.test('only members in which a leaf changed are sent, each of them whole', async (t) => {
  const desired = { name: 'a', config: { one: 1, two: 2 }, description: 'd' }
  t.same(patched({}, desired, {}, 'config/one', 'name'), { config: { one: 1, two: 2 }, name: 'a' })
  t.same(patched({ name: { local: true } }, desired, {}, 'name'), {})
})

t.test('a leaf that is no longer desired is sent as its clear value', async (t) => {
  const fields: FieldTable = { description: { clear: '' }, schedule: { clear: null }, hosts: { clear: [] } }
  const observed = { description: 'd', schedule: { at: 'x' }, hosts: ['a'], name: 'n' }
  t.same(patched(fields, {}, observed, 'description', 'schedule/at', 'hosts', 'name'), {
    description: '',
    schedule: null,
    hosts: [],
  })
  t.same(fullBody(fields, { name: 'n' }), { description: '', schedule: null, hosts: [], name: 'n' })
})

t.test('a map is patched in the dialect of its provider', async (t) => {
  const desired = { metadata: { ours: '2' } }
  const observed = { metadata: { ours: '1', gone: '1' } }
  const sent = (map: 'replace' | 'patchNull' | 'patchEmpty' | 'readMerge') =>
    patched({ metadata: { map } }, desired, observed, 'metadata/ours', 'metadata/gone')['metadata']
  t.same(sent('replace'), { ours: '2' })
  t.same(sent('patchNull'), { ours: '2', gone: null })
  t.same(sent('patchEmpty'), { ours: '2', gone: '' })
  t.same(sent('readMerge'), { ours: '2' })
})

t.test('if only declared keys are managed, other keys are kept and formerly declared ones removed', async (t) => {
  const desired = { metadata: { ours: '2' } }
  const observed = { metadata: { ours: '1', was: '1', theirs: '1' } }
  const sent = (map: 'patchNull' | 'readMerge') =>
    patched({ metadata: { map, owner: 'declared' } }, desired, observed, 'metadata/ours', 'metadata/was')['metadata']
  t.same(sent('patchNull'), { ours: '2', was: null })
  t.same(sent('readMerge'), { ours: '2', theirs: '1' })
})
