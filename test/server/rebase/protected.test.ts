// Objects that a signature in one layer protects from the pending edits of another, over HTTP.
import t from 'tap'
import { formPdf, named } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import { field, prepare, sign } from '../signatures/support/signing.js'
import { done, runServer } from '../support/running-server.js'

const judges = needs('pdfsig', 'qpdf', 'openssl')
if (judges.skip) t.plan(0, judges.skip)
else await run()

async function run(): Promise<void> {
  const { api, upload } = await runServer(t)
  const layersOf = async (bytes: Buffer) => {
    const docId = await upload(bytes)
    return { signing: { api, docId, layerName: 'signing' }, other: { api, docId, layerName: 'other' } }
  }
  type Layer = Awaited<ReturnType<typeof layersOf>>['other']
  const json = async (layer: Layer, path: string) => (await api.get(`${layerPath(layer)}/${path}`).then(done)).json()
  const fieldIn = async (layer: Layer, name: string) => {
    const { fields } = Object(await json(layer, 'form'))
    return fields.find((field: { readonly name: string }) => field.name === name)
  }
  const edit = async (layer: Layer, opId: string, ...ops: readonly object[]) => {
    const answer = await change(api, layer, { opId, ops })
    t.same(outcomes(answer), ['applied'], answer.text)
  }

  for (const [action, fields, isLocked] of [
    ['all', [], true],
    ['include', ['plain'], true],
    ['exclude', ['multi'], true],
    ['exclude', ['plain'], false],
  ] as const) {
    const title = `a lock (${action} ${fields ?? ''}) ${isLocked ? 'drops and reports' : 'leaves'} pending values`
    t.test(title, async (t) => {
      const { signing, other } = await layersOf(formPdf())
      await edit(other, 'value', { type: 'forms.setValue', field: named('plain'), value: { value: 'pending' } })
      await sign(signing, { ...field('sign'), lock: { action, fields } })
      const { merge } = Object(await json(other, 'manifest'))
      t.equal(merge.state, 'merged')
      const locked = { objectNumber: 10, path: null, kept: 'version', reason: 'locked' }
      if (isLocked) t.has(merge.conflicts, [locked])
      else t.same(merge.conflicts, [])
      t.equal((await fieldIn(other, 'plain')).value ?? '', isLocked ? '' : 'pending')
    })
  }

  t.test('a form that leaves drawing to readers may be filled before another layer certifies it', async (t) => {
    const { signing, other } = await layersOf(formPdf({ form: '/NeedAppearances true' }))
    await edit(other, 'value', { type: 'forms.setValue', field: named('plain'), value: { value: 'pending' } })
    await sign(signing, {
      ...field('sign'),
      certify: { permission: 2 },
      lock: { action: 'include', fields: ['multi'] },
    })
    t.equal(Object(await json(other, 'manifest')).merge.state, 'merged')
    t.equal((await fieldIn(other, 'plain')).value, 'pending')
    const analysis = Object(await json(other, 'signatures/analysis?since.signature=0'))
    t.equal(analysis.verdict, 'permitted', JSON.stringify(analysis.current.findings))
    await sign(other, field('second'))
  })

  for (const [list, squares] of [
    ['[null 6 0 R]', 2],
    ['[1 6 0 R]', 1],
  ] as const) {
    t.test(`a signature stays where both sides add to the list ${list} of a page`, async (t) => {
      const note = '<</Type/Annot/Subtype/Text/Rect[10 10 30 30]>>'
      const { signing, other } = await layersOf(onePage('', { page: '/Annots 5 0 R', further: { 5: list, 6: note } }))
      const data = { subtype: 'square', box: { x: 10, y: 20, width: 30, height: 30 } }
      const page = { kind: 'objectNumber', objectNumber: 3 }
      for (const layer of [signing, other]) await edit(layer, 'square', { type: 'annotations.create', page, data })
      await sign(signing, field('approval'))
      t.equal(Object(await json(other, 'manifest')).merge.state, 'merged')
      t.match(Object(await json(other, 'signatures')).signatures, [{ fieldName: 'approval', signed: true }])
      const { annotations } = Object(await json(other, 'annotations/pages/obj:3/items'))
      t.equal(annotations.filter((one: { subtype: string }) => one.subtype === 'square').length, squares)
      const analysis = Object(await json(other, 'signatures/analysis?since.signature=0'))
      t.equal(analysis.verdict, 'permitted', JSON.stringify(analysis.current.findings))
    })
  }

  t.test('a layer that removed the page of a field that was signed since stays behind', async (t) => {
    const { signing, other } = await layersOf(formPdf())
    const pages = [{ kind: 'objectNumber', objectNumber: 3 }]
    await api.post(`${layerPath(other)}/pages/delete`, { pages }).then(done)
    await sign(signing, field('sign'))
    t.match(Object(await json(other, 'manifest')).merge, { state: 'behind', reason: 'signed-page' })
    const refused = await prepare(other, field('second'))
    t.same([refused.status, refused.code], [409, 'StaleBase'])
  })

  t.test('pending edits that a certification forbids stay, are judged forbidden, and cannot be signed', async (t) => {
    const { signing, other } = await layersOf(formPdf())
    const square = { subtype: 'square', box: { x: 10, y: 20, width: 30, height: 30 } }
    const page = { kind: 'objectNumber', objectNumber: 3 }
    await edit(other, 'square', { type: 'annotations.create', page, data: square })
    await sign(signing, { ...field('sign'), certify: { permission: 2 } })
    const { annotations } = Object(await json(other, 'annotations/pages/obj:3/items'))
    t.equal(annotations.filter((one: { subtype: string }) => one.subtype === 'square').length, 1)
    const analysis = Object(await json(other, 'signatures/analysis?since.signature=0&level=fill'))
    t.equal(analysis.verdict, 'forbidden')
    const refused = await prepare(other, field('second'))
    t.same([refused.status, refused.code], [403, 'ProtectedDocument'], refused.text)
  })
}
