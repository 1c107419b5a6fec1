// Files whose damage is detected only when an object is read: an edit with response 200 is durable, in every read and in
// the download, and so are later edits.
import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { freed, misplaced, otherGeneration, sharing, twoPages, unreadable } from '../../support/pdf/damaged-pdf.js'
import { encryptedPdf, schemes } from '../../support/pdf/encrypted-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { Workshop } from '../../support/pdf/workshop.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const programs = needs('qpdf', 'pdftotext')

interface Uploaded {
  readonly bytes: Buffer
  readonly password?: string
  /** True if no edit reads the damaged part, so that the damage remains in the file. */
  readonly isDamagedStill?: boolean
}

class Layer {
  readonly #headers: Readonly<Record<string, string>>

  constructor(
    readonly path: string,
    { password }: Uploaded,
  ) {
    this.#headers = password === undefined ? {} : { 'x-document-password': Buffer.from(password).toString('base64') }
  }

  get = (path: string): Promise<Answer> => api.get(`${this.path}/${path}`, this.#headers)
  post = (path: string, json: object): Promise<Answer> => api.post(`${this.path}/${path}`, json, this.#headers)

  async annotations(): Promise<number> {
    const list = done(await this.get('annotations/pages/obj:3/items')).json()
    return JSON.stringify(list).split('"subtype":"square"').length - 1
  }
}

async function layerOn(uploaded: Uploaded): Promise<Layer> {
  const docId = await server.upload(uploaded.bytes)
  return new Layer(`/v1/docs/${docId}/layers/default`, uploaded)
}

const square = (x: number) => ({ subtype: 'square', box: { x, y: 60, width: 20, height: 20 } })

/** Runs edits with reads between them, an undo, the download, and a redaction. */
async function worked(t: Test, uploaded: Uploaded): Promise<void> {
  const layer = await layerOn(uploaded)
  const before = await layer.annotations()
  for (const [index, x] of [100, 130, 160].entries()) {
    const made = await layer.post('annotations/pages/obj:3/items', square(x))
    t.equal(made.status, 200, made.text.slice(0, 200))
    t.equal(await layer.annotations(), before + index + 1, 'the annotation is listed')
    done(await layer.get('render/all/pages/obj:3/data?viewport.kind=width&viewport.width=100'))
    t.equal((await layer.get('text/pages/obj:5/data')).status, 200)
    t.equal(await layer.annotations(), before + index + 1, 'the annotation is still listed')
  }
  const turned = await layer.post('pages/rotate', { pages: [pageRef(5)], rotation: 90 })
  t.equal(turned.status, 200, turned.text.slice(0, 200))
  const titled = { changes: [{ opId: 'title', ops: [{ type: 'metadata.update', patch: { title: 'New' } }] }] }
  t.match((await layer.post('changes', titled)).json(), { changes: [{ status: 'applied' }] })
  const undone = { changes: [{ opId: 'undo', undoOf: 'title' }] }
  t.match((await layer.post('changes', undone)).json(), { changes: [{ status: 'applied' }] })
  const password = uploaded.password ?? ''
  const file = Workshop.of(t).source(done(await layer.get('download')).bytes).path
  const checked = spawnSync('qpdf', [`--password=${password}`, '--check', file])
  const warned = 3
  t.equal(checked.status, uploaded.isDamagedStill ? warned : 0, `the download is sound: ${checked.stderr.toString()}`)
  t.equal(
    judged('qpdf', [`--password=${password}`, '--qdf', file, '-'])
      .toString('latin1')
      .split('/Subtype /Square').length - 1,
    before + 3,
    'the download contains the annotations',
  )
  const quad = {
    upperLeft: { x: 25, y: 80 },
    upperRight: { x: 300, y: 80 },
    lowerLeft: { x: 25, y: 110 },
    lowerRight: { x: 300, y: 110 },
  }
  done(await layer.post('annotations/pages/obj:5/items', { subtype: 'redact', quadPoints: [quad] }))
  const redacted = await layer.post('redactions/apply', { pages: [pageRef(5)] })
  t.equal(redacted.status, 200, redacted.text.slice(0, 200))
  const after = Workshop.of(t).source(done(await layer.get('download')).bytes).path
  judged('qpdf', [`--password=${password}`, '--check', after])
  t.notMatch(judged('pdftotext', ['-upw', password, after, '-']).toString(), /Second page/)
  t.equal(await layer.annotations(), before + 3, 'a redaction of the other page keeps them')
}

const objects = {
  content: 4,
  font: 7,
  annotation: 8,
  field: 9,
  appearance: 10,
  'what only deep structure refers to': 12,
}

for (const [name, number] of Object.entries(objects)) {
  t.test(`a wrong offset of the ${name} is found before anything is changed`, programs, async (t) => {
    for (const byBytes of number === 4 ? [-1, 2, 57] : [2])
      await worked(t, { bytes: misplaced(twoPages(), number, byBytes) })
  })
}

t.test('a wrong generation and a used object marked as free are repaired', programs, async (t) => {
  await worked(t, { bytes: otherGeneration(twoPages(), 4) })
  await worked(t, { bytes: freed(twoPages(), 12) })
})

t.test('an unreadable object is detected by the change that reads it', programs, async (t) => {
  for (const number of [7, 8, 10, 12]) await worked(t, { bytes: unreadable(twoPages(), number), isDamagedStill: true })
})

t.test('a document locked at upload is repaired when its password is supplied', programs, async (t) => {
  const scheme = schemes.find(({ name }) => name === 'AES, 256 bits')
  if (scheme === undefined) throw new Error('The encryption scheme is missing')
  const bytes = encryptedPdf(twoPages(), scheme)
  await worked(t, { bytes: misplaced(bytes, 10, 2), password: scheme.user })
  await worked(t, { bytes: Buffer.concat([Buffer.from('junk\n'), bytes]), password: scheme.user })
})

t.test('shared pages of a document that was locked at upload are separated at the first read', programs, async (t) => {
  const scheme = schemes.find(({ name }) => name === 'AES, 128 bits, metadata in the clear')
  if (scheme === undefined) throw new Error('The encryption scheme is missing')
  const layer = await layerOn({ bytes: encryptedPdf(sharing(), scheme), password: scheme.user })
  const ofSecond = async () =>
    (done(await layer.get('annotations/pages/obj:5/items')).json() as { annotations: readonly object[] }).annotations
  const [before = []] = await Promise.all([ofSecond(), ofSecond(), ofSecond()])
  done(await layer.post('annotations/pages/obj:3/items', square(100)))
  const other = layer.path.replace('layers/default', 'layers/other')
  done(
    await new Layer(other, { bytes: Buffer.alloc(0), password: scheme.user }).post(
      'annotations/pages/obj:3/items',
      square(130),
    ),
  )
  t.equal(await layer.annotations(), 2)
  const second = await ofSecond()
  t.match(second, [{ subtype: 'square' }, { subtype: 'widget' }])
  t.equal(second.length, 2)
  t.same(second, before, 'edits do not change refs of annotations')
  const { fields } = done(await layer.get('form')).json() as { fields: { widgets: object[] }[] }
  t.same(
    fields.map(({ widgets }) => widgets.length),
    [2],
  )
  const file = Workshop.of(t).source(done(await layer.get('download')).bytes).path
  judged('qpdf', [`--password=${scheme.user}`, '--check', file])
})
