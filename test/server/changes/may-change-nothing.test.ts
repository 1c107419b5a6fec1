// Whoever may change nothing is refused before the body is read, and stores nothing; a change that is refused for its
// rights, or was answered before, moves no layer over a newer version.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { field, sign } from '../signatures/support/signing.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { change, layerPath, outcomes, titled } from './support/changing.js'

const folder = scratchFolder(t, 'data')
const server = await runServer(t, { folder })
const { api } = server
const pdf = formPdf()

const sizeOfFolder = (): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0)
const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const narrowest: Readonly<Record<string, readonly string[]>> = {
  'a reader': ['doc.open'],
  'who may read everything': ['doc.open', 'doc.render', 'doc.text.copy', 'doc.forms.read', 'doc.download', 'doc.print'],
  'who may import authors, and nothing to import': ['doc.open', 'doc.annotate.import'],
  'who may set groups of what others may write': ['doc.open', 'annotations:set-group:all'],
}
for (const [title, scope] of Object.entries(narrowest)) {
  t.test(`${title} gets 403 for every change, and stores nothing`, async (t) => {
    const docId = await server.upload(pdf)
    const reader = api.as(await server.documentToken(docId, scope))
    const before = sizeOfFolder()
    const path = `${layerPath({ docId })}/changes`
    const bodies: readonly unknown[] = [
      ...[[titled('x')], [{ type: 'x'.repeat(100_000) }], [{ type: 'metadata.update' }], []].map((ops) => ({
        changes: [{ opId: 'one', ops }],
      })),
      { changes: [{ opId: 'undo', undoOf: 'nothing' }] },
      { changes: 'none' },
    ]
    for (const body of bodies) {
      const { status, code } = await reader.post(path, body)
      t.equal(`${status} ${code}`, '403 Forbidden')
    }
    const { status, code } = await sendFile(reader, path)
    t.equal(`${status} ${code}`, '403 Forbidden', 'a file')
    t.equal(sizeOfFolder(), before)
  })
}

function sendFile(client: Client, path: string) {
  const body = new FormData()
  body.set('body', JSON.stringify({ changes: [{ opId: 'file', ops: [titled('x')] }] }))
  body.set('resource:k', new Blob([Buffer.alloc(1_000_000)]), 'k.bin')
  return client.send(path, { method: 'POST', body })
}

t.test('rights are judged before the members of an op are read', async (t) => {
  const docId = await server.upload(pdf)
  const describing = api.as(await server.documentToken(docId, ['doc.open', 'doc.metadata.modify']))
  const ops = [{ type: 'annotations.create', page: 'no page', data: 7 }]
  const answer = await change(describing, { docId }, { opId: 'one', ops }, { opId: 'two', ops: [titled('x')] })
  t.same(outcomes(answer), ['Forbidden', 'applied'])
})

t.test('a change that is refused for its rights moves no layer', needs('openssl'), async (t) => {
  const docId = await server.upload(pdf)
  const [one, two] = ['one', 'two'].map((layerName) => ({ api, docId, layerName }))
  if (!one || !two) throw new Error('unreachable')
  const scope = ['doc.open', 'doc.metadata.modify']
  const describing = api.as(await server.documentToken(docId, scope, { layerName: 'two' }))
  done(await change(describing, two, { opId: 'title', ops: [titled('Two')] }))
  await sign(one, field('first'))
  const auditHead = async () => (await api.get(`${layerPath(two)}/manifest`).then(done)).at('/auditHead')
  const before = await auditHead()
  const note = { type: 'annotations.create', page: { kind: 'objectNumber', objectNumber: 3 }, data: {} }
  const refused = [
    [{ opId: 'note', ops: [note] }, 'Forbidden'],
    [{ opId: 'unknown', ops: [{ type: 'no.such.op' }] }, 'InvalidArg'],
    [{ opId: 'nothing', undoOf: 'nothing' }, 'NotFound'],
    [{ opId: 'untitle', undoOf: 'title' }, 'UndoUnavailable'],
    [{ opId: 'title', ops: [titled('Two')] }, 'applied'],
    [{ opId: 'note', ops: [note] }, 'Forbidden'],
  ] as const
  for (const [entry, outcome] of refused) {
    const answer = await change(describing, two, entry)
    t.same(outcomes(answer), [outcome], answer.text)
    t.equal(answer.at('/merge'), undefined)
  }
  t.equal(await auditHead(), before)
  const moved = await change(describing, two, { opId: 'author', ops: [titled('Three')] })
  t.same(outcomes(moved), ['applied'])
  t.match(moved.at('/merge'), { count: 0 })
})
