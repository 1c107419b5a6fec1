// Downloads at a pinned version: the unchanged file with the edits behind it, or a new file of one revision.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { misplaced, otherGeneration, twoPages } from '../../support/pdf/damaged-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { lockedPdf } from '../../support/pdf/locked-pdf.js'
import { everyAnnotation, everyField, everyPage } from '../../support/pdf/rich-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const layerOf = (docId: string) => `/v1/docs/${docId}/layers/default`
const versionOf = async (docId: string, client: Client = api) =>
  Number(done(await client.get(`${layerOf(docId)}/manifest`)).at('/docVersion'))
const pinned = async (docId: string, mode: string, client: Client = api) =>
  `${layerOf(docId)}/download@docVersion=${await versionOf(docId, client)},mode=${mode}`

const removed = 'Removed-4711'
const kept = 'Kept-0815'
const square = (contents: string) => `/Subtype/Square/Rect[50 50 90 90]/Contents(${contents})`

/** A document with an edited layer, from which an annotation was removed. */
async function edited(pdf = annotatedPdf({ annotations: [square(removed), square(kept)] })): Promise<string> {
  const docId = await server.upload(pdf)
  done(await api.delete(`${layerOf(docId)}/annotations/pages/obj:3/items/obj:10`))
  const box = { x: 10, y: 10, width: 30, height: 30 }
  done(
    await api.post(`${layerOf(docId)}/annotations/pages/obj:3/items`, { subtype: 'square', box, contents: 'Added-1' }),
  )
  return docId
}

/** Writes the file, checks it with qpdf, and returns its objects as readable text. */
function plainly(t: Test, bytes: Buffer, ...args: readonly string[]): string {
  const path = join(scratchFolder(t), 'file.pdf')
  writeFileSync(path, bytes)
  t.match(judged('qpdf', [...args, '--check', path]).toString(), /No syntax or stream encoding errors/)
  return judged('qpdf', [...args, '--qdf', '--object-streams=disable', '--decrypt', path, '-']).toString('latin1')
}

t.test('a rewritten file has one revision, and nothing that edits have removed', needs('qpdf', 'mutool'), async (t) => {
  const pdf = annotatedPdf({ annotations: [square(removed), square(kept)] })
  const docId = await edited(pdf)
  const incremental = done(await api.get(await pinned(docId, 'incremental')))
  t.ok(incremental.bytes.subarray(0, pdf.length).equals(pdf), 'the upload is a prefix')
  t.ok(incremental.bytes.equals((await api.get(`${layerOf(docId)}/download`)).bytes))
  t.ok(incremental.bytes.equals((await api.get((await pinned(docId, 'x')).replace(',mode=x', ''))).bytes))
  const rewritten = done(await api.get(await pinned(docId, 'rewrite')))
  const text = plainly(t, rewritten.bytes)
  t.match([text.includes(removed), text.includes(kept), text.includes('Added-1')], [false, true, true])
  t.equal(rewritten.bytes.toString('latin1').split('startxref').length - 1, 1)
  t.notMatch(rewritten.bytes.toString('latin1'), /\/Prev/)
  t.ok(
    rewritten.bytes.equals((await api.get(`${layerOf(docId)}/download?mode=rewrite`)).bytes),
    'the same bytes each time',
  )
})

t.test('a pinned download is cached for ever, in parts too, and ends with its version', async (t) => {
  const docId = await edited()
  for (const mode of ['incremental', 'rewrite']) {
    const path = await pinned(docId, mode)
    const whole = done(await api.get(path))
    const length = whole.bytes.length
    t.equal(whole.headers.get('cache-control'), 'private, max-age=31536000, immutable', mode)
    t.match(Object.fromEntries(whole.headers), {
      'content-type': 'application/pdf',
      'content-length': String(length),
      'accept-ranges': 'bytes',
      'content-disposition': `attachment; filename="${docId}.pdf"`,
    })
    const etag = whole.headers.get('etag') ?? ''
    const head = await api.send(path, { method: 'HEAD' })
    t.same([head.status, head.headers.get('content-length'), head.headers.get('etag')], [200, String(length), etag])
    t.equal((await api.get(path, { 'if-none-match': etag })).status, 304)
    const parts = [`bytes=0-99`, `bytes=100-${length - 51}`, 'bytes=-50']
    const pieces = await Promise.all(parts.map((range) => api.get(path, { range, 'if-range': etag })))
    t.same(
      pieces.map(({ status }) => status),
      [206, 206, 206],
    )
    t.ok(Buffer.concat(pieces.map(({ bytes }) => bytes)).equals(whole.bytes), mode)
    t.equal((await api.get(path, { range: 'bytes=0-9', 'if-range': '"other"' })).status, 200)
    t.equal((await api.get(path, { range: `bytes=${length}-` })).status, 416)
  }
  const path = await pinned(docId, 'rewrite')
  for (const [wrong, status] of [
    [path.replace('mode=rewrite', 'mode=none'), 400],
    [path.replace(/docVersion=\d+,/, ''), 400],
    [path.replace('/layers/default', ''), 404],
  ] as const)
    t.equal((await api.get(wrong)).status, status, wrong)
  done(await api.delete(`${layerOf(docId)}/annotations/pages/obj:3/items/obj:11`))
  const stale = await api.get(path)
  t.same([stale.status, stale.code], [404, 'NotFound'])
  const reader = api.as(await server.documentToken(docId, ['doc.open', 'doc.render']))
  t.equal((await reader.get(await pinned(docId, 'rewrite'))).status, 403)
})

t.test(
  'every kind of file can be rewritten: the pages stay, and qpdf finds no fault',
  needs('qpdf', 'pikepdf'),
  async (t) => {
    const files: Readonly<Record<string, Buffer>> = {
      annotations: everyAnnotation(),
      fields: everyField(),
      pages: everyPage(),
      'object streams': readableBy(t, everyPage(), ['--object-streams=generate']),
      linearized: readableBy(t, everyPage(), ['--linearize']),
      misplaced: misplaced(twoPages(), 3, 7),
      'other generation': otherGeneration(twoPages(), 4),
      'without an end': twoPages().subarray(0, -30),
    }
    for (const [name, pdf] of Object.entries(files)) {
      const docId = await server.upload(pdf)
      const answer = done(await api.get(await pinned(docId, 'rewrite')))
      plainly(t, answer.bytes)
      const path = join(scratchFolder(t), 'file.pdf')
      writeFileSync(path, answer.bytes)
      const count = judged('pikepdf', ['-c', 'import sys, pikepdf; print(len(pikepdf.open(sys.argv[1]).pages))', path])
      const { pages } = Object((await api.get(`${layerOf(docId)}/manifest`)).json())
      t.equal(Number(count.toString()), pages.length, name)
    }
  },
)

function readableBy(t: Test, pdf: Buffer, args: readonly string[]): Buffer {
  const { path } = Workshop.of(t).source(pdf)
  return judged('qpdf', [...args, path, '-'])
}

t.test(
  'an encrypted document stays encrypted with the same passwords, and is sent as a whole',
  needs('qpdf'),
  async (t) => {
    const pdf = lockedPdf(t, annotatedPdf({ annotations: [square(removed), square(kept)] }), { user: 'u', owner: 'o' })
    const docId = await server.upload(pdf)
    const ada = api.as(await server.documentToken(docId, ['*']))
    t.equal((await ada.get(`${layerOf(docId)}/download?mode=rewrite`)).code, 'DocPasswordRequired')
    done(await ada.post(`${layerOf(docId)}/access`, { password: 'u' }))
    const listed = done(await ada.get(`${layerOf(docId)}/annotations/items`))
    const { annotations } = Object(listed.json())
    const { ref } = annotations.find(({ contents }: { contents: string }) => contents === removed)
    done(
      await ada.delete(
        `${layerOf(docId)}/annotations/pages/obj:${ref.page.objectNumber}/items/obj:${ref.objectNumber}`,
      ),
    )
    const path = await pinned(docId, 'rewrite', ada)
    const answer = done(await ada.get(path, { range: 'bytes=0-9' }))
    t.match(Object.fromEntries(answer.headers), { 'cache-control': 'no-store', 'accept-ranges': 'none' })
    t.equal(answer.status, 200)
    for (const password of ['u', 'o']) {
      const text = plainly(t, answer.bytes, `--password=${password}`)
      t.same([text.includes(removed), text.includes(kept)], [false, true])
    }
    t.notMatch(answer.bytes.toString('latin1'), kept)
    const incremental = done(await ada.get(await pinned(docId, 'incremental', ada)))
    t.ok(incremental.bytes.subarray(0, pdf.length).equals(pdf))
    t.equal(incremental.headers.get('cache-control'), 'no-store')
  },
)
