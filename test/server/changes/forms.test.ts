// Form writes over HTTP: each is one change, with the names and bodies of the contract.
import t from 'tap'
import { formPdf, named, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { change, layerPath, outcomes } from './support/changing.js'

const server = await runServer(t)
const { api } = server

const newForm = async (): Promise<string> => `${layerPath({ docId: await server.upload(formPdf()) })}/form`

t.test('doc.forms.setValue accepts fields by number and by full name, wrapped values and bare ones', async (t) => {
  const form = await newForm()
  const first = await api.post(`${form}/fields/obj:10/value`, { value: { value: 'One' } })
  t.equal(first.status, 200, first.text)
  t.match(first.json(), {
    field: { name: 'plain', value: 'One' },
    widgets: [{ subtype: 'widget', hasAppearance: true }],
    meta: {
      undoable: true,
      affectedPages: [numbered(3)],
      changedFields: [numbered(10)],
      cacheDelta: { pages: { length: 1 } },
    },
  })
  const bare = await api.post(`${form}/fields/${encodeURIComponent('fqn:person.last')}/value`, { value: 'Two' })
  t.match(bare.json(), { field: { name: 'person.last', value: 'Two' }, widgets: { length: 3 } })
  t.match((await api.post(`${form}/fields/fqn:check/value`, { checked: true }).then(done)).json(), {
    field: { checked: true },
  })
  t.match((await api.post(`${form}/fields/fqn:list/value`, { selectedValues: ['two'] }).then(done)).json(), {
    field: { selectedValues: ['two'] },
  })
  t.match((await api.post(`${form}/fields/fqn:plain/value`, { value: null }).then(done)).json(), {
    field: { value: '' },
  })
  const values = await api.get(form).then(done)
  t.match(values.at('/fields/0'), { name: 'plain', value: '' })
})

t.test('values that a field does not accept are refused', async (t) => {
  const form = await newForm()
  const statuses = [
    await api.post(`${form}/fields/fqn:nobody/value`, { value: 'x' }),
    await api.post(`${form}/fields/plain/value`, { value: 'x' }),
    await api.post(`${form}/fields/obj:10/value`, { checked: true }),
    await api.post(`${form}/fields/obj:10/value`, { value: 'x', checked: true }),
    await api.post(`${form}/fields/obj:23/value`, { value: 'x' }),
  ].map(({ status, code }) => [status, code])
  t.same(statuses, [
    [404, 'NotFound'],
    [400, 'InvalidArg'],
    [400, 'InvalidArg'],
    [400, 'InvalidArg'],
    [400, 'InvalidArg'],
  ])
})

t.test('widgets can be changed and reordered, the form reset, and a change undone', async (t) => {
  const docId = await server.upload(formPdf())
  const form = `${layerPath({ docId })}/form`
  const updated = await api.send(`${form}/widgets/obj:3/obj:10`, {
    method: 'PATCH',
    json: { patch: { color: '#ff0000' } },
  })
  t.match(updated.json(), { widget: { color: '#ff0000' }, appearance: { action: 'regenerated' } })
  const root = { type: 'javascript', subtype: 'JavaScript', script: '1', next: [] }
  const scripted = await api.patch(`${form}/widgets/obj:3/obj:10`, { patch: { actions: { focus: { root } } } })
  t.match(scripted.json(), { widget: { actions: { focus: { root, incomplete: false, warnings: { length: 0 } } } } })
  const ordered = await api.post(`${form}/widgets/obj:4/reorder`, { widgets: [widgetOn(4, 58)], position: 'start' })
  t.match(ordered.json(), { order: [widgetOn(4, 58), widgetOn(4, 45), widgetOn(4, 53)] })
  const calculations = await api.post(`${form}/calculations/reorder`, { fields: [named('taxed')], position: 'start' })
  t.match(calculations.json(), { calculationOrder: [numbered(28), numbered(27)] })
  const deleted = await api.send(`${form}/widgets/obj:3/obj:11`, { method: 'DELETE' })
  t.match(deleted.json(), { widget: widgetOn(3, 11), field: null })
  const reset = await api.post(`${form}/reset`, { refs: [named('plain')] })
  t.match(reset.json(), { fields: [{ name: 'plain', value: 'start' }] })
  const set = { type: 'forms.setValue', field: named('price'), value: { value: '5' } }
  const changed = await change(api, { docId }, { opId: 'price', ops: [set] }, { opId: 'back', undoOf: 'price' })
  t.same(outcomes(changed), ['applied', 'applied'])
  t.match(changed.at('/changes/1/result/items/0'), { type: 'forms.setValue', field: { name: 'price', value: '' } })
})
