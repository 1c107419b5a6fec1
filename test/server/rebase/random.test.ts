// Random edits of three layers over HTTP: the layers are signed in turn; the others are read, changed and undone in between.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { needs, python } from '../../support/pdf/judges.js'
import { type Edit, edit, opOf } from '../../support/pdf/random-edits.js'
import { everyAnnotation, everyField } from '../../support/pdf/rich-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'
import { change, layerPath } from '../changes/support/changing.js'
import { download, field, popplerVerdicts, qpdfAccepts, sign } from '../signatures/support/signing.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

const files = { everyAnnotation, everyField, formPdf: () => formPdf() }
const names = ['one', 'two', 'three'] as const
const signedField = 'signature'
const edits = fc.array(edit, { minLength: 1, maxLength: 4 })

const judges = needs('pdfsig', 'qpdf', 'openssl', 'pikepdf')
if (judges.skip) t.plan(0, judges.skip)
else await run()

async function run(): Promise<void> {
  const { api, upload } = await runServer(t)
  t.test('any edits of three layers are merged, and every signature stays valid', async (t) => {
    const property = fc.asyncProperty(
      fc.constantFrom(...(Object.keys(files) as (keyof typeof files)[])),
      fc.tuple(edits, edits, edits),
      fc.tuple(edits, edits, edits),
      async (name, first, second) => {
        let isGood = false
        await t.test(`${name}`, async (t) => {
          const docId = await upload(files[name]())
          const layers = names.map((layerName) => ({ api, docId, layerName }))
          for (const [index, layer] of layers.entries()) await edited(layer, first[index] ?? [], 'before')
          for (const [index, layer] of layers.entries()) {
            const before = await listed(layer)
            const made = await edited(layer, second[index] ?? [], 'after')
            if (index > 0) await verifyUndone(t, layer, made)
            else t.ok(before)
            await sign(layer, field(`${signedField} ${index}`))
            await judge(t, await download(layer), index + 1)
          }
        })
        isGood = t.passing()
        if (!isGood) throw new Error(JSON.stringify([name, first, second]))
      },
    )
    await fc.assert(property, { seed, numRuns: isLong ? 60 : 2, endOnFailure: true })
  })
}

interface Layer {
  readonly api: Client
  readonly docId: string
  readonly layerName: string
}

const read = async ({ api, ...layer }: Layer, path: string) =>
  Object(done(await api.get(`${layerPath(layer)}/${path}`)).json())

async function listed(layer: Layer) {
  const [{ pages }, { annotations }, { fields }] = [
    await read(layer, 'layout'),
    await read(layer, 'annotations/items'),
    await read(layer, 'form'),
  ]
  // An edit may remove a signed field that nothing locks, and the signature with it.
  const unsigned = fields.filter(({ name }: { name: string }) => !name.startsWith(signedField))
  return { pages: pages.map(({ ref }: { ref: object }) => ref), annotations, fields: unsigned }
}

/** Returns the ids of the applied changes. */
async function edited(layer: Layer, edits: readonly Edit[], mark: string): Promise<readonly string[]> {
  const made: string[] = []
  for (const [index, edit] of edits.entries()) {
    const op = opOf(edit, await listed(layer), `${layer.layerName} ${mark} ${index}`)
    if (op === undefined) continue
    const opId = `${mark}${index}`
    const answer = done(await change(layer.api, layer, { opId, ops: [op] }))
    if (answer.at('/changes/0/status') === 'applied') made.push(opId)
  }
  return made
}

/** Changes over the current version can be undone, earlier ones cannot. */
async function verifyUndone(t: Test, layer: Layer, made: readonly string[]): Promise<void> {
  const last = made.at(-1)
  if (last !== undefined) {
    const undone = done(await change(layer.api, layer, { opId: 'undo-last', undoOf: last }))
    t.equal(undone.at('/changes/0/status'), 'applied', undone.text)
  }
  const refused = done(await change(layer.api, layer, { opId: 'undo-first', undoOf: 'before0' }))
  const code = refused.at('/changes/0/error/code')
  // The first edit may have been refused, or impossible.
  if (code !== 'NotFound') t.equal(refused.at('/changes/0/error/details/reason'), 'base-changed', refused.text)
}

async function judge(t: Test, bytes: Buffer, signatures: number): Promise<void> {
  qpdfAccepts(t, bytes)
  const verdicts = popplerVerdicts(t, bytes).filter(({ text }) => !text.includes('is not signed'))
  t.same(
    verdicts.map(({ isValid }) => isValid),
    Array.from({ length: signatures }, () => true),
  )
  const script = join(import.meta.dirname, '../../workers/merge/well-formed.py')
  const { stdout } = spawnSync(python, [script, Workshop.of(t).source(bytes).path])
  t.equal(stdout.toString(), '', 'nothing is out of place')
}
