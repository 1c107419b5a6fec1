// Attached files: listed as other programs list them, and sent as bytes that no browser shows.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { inTokenText } from '../support/search-token.js'

const server = await runServer(t)
const { api } = server
const layerOf = (docId: string) => `/v1/docs/${docId}/layers/default`

t.test(
  'files that qpdf attached are listed and sent, as pdfdetach sees them',
  needs('qpdf', 'pdfdetach'),
  async (t) => {
    const folder = scratchFolder(t)
    const files = {
      'plain.txt': Buffer.from('some text'),
      'Bücher – 2026.html': Buffer.from('<script>alert(1)</script>'),
    }
    let path = join(folder, '0.pdf')
    writeFileSync(path, onePage(''))
    for (const [index, [name, bytes]] of Object.entries(files).entries()) {
      const file = join(folder, name)
      writeFileSync(file, bytes)
      const more = ['--mimetype=text/html', '--description=About it', `--key=${name}`]
      const next = join(folder, `${index + 1}.pdf`)
      execFileSync('qpdf', [path, '--add-attachment', file, ...more, '--', next])
      path = next
    }
    const docId = await server.upload(readFileSync(path))
    const listed = await api.get(`${layerOf(docId)}/attachments`)
    t.match(listed.json(), {
      attachments: Object.entries(files)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { length: size }], index) => ({
          ref: { kind: 'key', key: name },
          name,
          mimeType: 'text/html',
          description: 'About it',
          size,
          index,
        })),
    })
    t.equal(judged('pdfdetach', ['-list', path]).toString().split('\n')[0], '2 embedded files')
    const version = (await api.get(`${layerOf(docId)}/manifest`)).at('/attachmentsVersion')
    for (const [name, bytes] of Object.entries(files)) {
      for (const suffix of ['', `@attachmentsVersion=${version}`]) {
        const answer = await api.get(`${layerOf(docId)}/attachment-files/${inTokenText(name)}/data${suffix}`)
        t.ok(answer.bytes.equals(bytes), name)
        t.equal(answer.headers.get('content-type'), 'application/octet-stream')
        t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
        t.equal(
          answer.headers.get('content-disposition'),
          `attachment; filename="attachment"; filename*=UTF-8''${encodeURIComponent(name)}`,
        )
        t.equal(answer.headers.get('x-embedpdf-file-name'), inTokenText(name))
        t.equal(answer.headers.get('x-embedpdf-file-type'), 'text/html')
      }
    }
  },
)

t.test('files of annotations, missing ones, bombs and strange names', async (t) => {
  const bomb = deflateSync(Buffer.alloc(80 * 1024 * 1024)).toString('latin1')
  const docId = await server.upload(
    onePage('', {
      page: '/Annots[5 0 R 10 0 R]',
      further: {
        1: '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(bomb)7 0 R(gone)8 0 R(odd)11 0 R]>>>>>>',
        5: '<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 11 0 R>>',
        7: '<</Type/Filespec/F(bomb)/EF<</F 9 0 R>>>>',
        8: '<</Type/Filespec/F(http://example.com/x)>>',
        9: { body: '<</Type/EmbeddedFile/Filter/FlateDecode>>', stream: bomb },
        10: '<</Type/Annot/Subtype/Square/Rect[0 0 9 9]>>',
        11: '<</Type/Filespec/F(../../etc/\\"x\\r\\ny.html)/EF<</F 12 0 R>>>>',
        12: { body: '<</Type/EmbeddedFile/Subtype/text#2Fhtml>>', stream: 'odd' },
      },
    }),
  )
  const file = (key: string) => api.get(`${layerOf(docId)}/attachment-files/${inTokenText(key)}/data`)
  const ofAnnotation = (key: string) => api.get(`${layerOf(docId)}/attachment-files/pages/obj:3/items/${key}/data`)
  t.same([(await file('bomb')).status, (await file('bomb')).code], [422, 'MalformedPdf'])
  for (const answer of [
    await file('gone'),
    await file('unknown'),
    await ofAnnotation('obj:10'),
    await ofAnnotation('obj:99'),
  ])
    t.same([answer.status, answer.code], [404, 'NotFound'])
  for (const answer of [await file('odd'), await ofAnnotation('obj:5')]) {
    t.equal(answer.text, 'odd')
    t.match(
      answer.headers.get('content-disposition'),
      /^attachment; filename="attachment"; filename\*=UTF-8''[\w.%-]+$/,
    )
    t.notMatch(answer.headers.get('content-disposition'), /etc/)
    t.equal(answer.headers.get('x-embedpdf-file-name'), inTokenText('../../etc/"x\r\ny.html'))
    t.equal(answer.headers.get('x-embedpdf-file-type'), 'text/html')
  }
  t.equal((await api.get(`${layerOf(docId)}/attachments`)).at('/attachments/2/ref/key'), 'odd')
  const reader = api.as(await server.documentToken(docId, ['doc.open']))
  t.equal((await reader.get(`${layerOf(docId)}/attachments`)).status, 200)
  t.equal((await reader.get(`${layerOf(docId)}/attachment-files/${inTokenText('odd')}/data`)).status, 403)
})

t.test('files of one key are told apart, and each can be read', async (t) => {
  const docId = await server.upload(
    rawPdf({
      1: '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(report)4 0 R(report)5 0 R(report \\(2\\))6 0 R]>>>>>>',
      2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]>>',
      3: '<</Type/Page/Parent 2 0 R>>',
      4: '<</Type/Filespec/F(a.txt)/EF<</F 7 0 R>>>>',
      5: '<</Type/Filespec/F(b.txt)/EF<</F 8 0 R>>>>',
      6: '<</Type/Filespec/F(c.txt)/EF<</F 9 0 R>>>>',
      7: { body: '<<>>', stream: 'FIRST' },
      8: { body: '<<>>', stream: 'SECOND' },
      9: { body: '<<>>', stream: 'THIRD' },
    }),
  )
  const listed = await api.get(`${layerOf(docId)}/attachments`).then(done)
  const keys = (listed.at('/attachments') as { ref: { key: string } }[]).map(({ ref }) => ref.key)
  t.equal(new Set(keys).size, 3, keys.join())
  const read = async (key: string) =>
    (await api.get(`${layerOf(docId)}/attachment-files/${inTokenText(key)}/data`).then(done)).text
  t.same(await Promise.all(keys.map(read)), ['FIRST', 'SECOND', 'THIRD'])
})

t.test('the file of an annotation has immutable forms, while its page is unchanged', async (t) => {
  const docId = await server.upload(
    onePage('', {
      page: '/Annots[5 0 R]',
      further: {
        5: '<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 6 0 R>>',
        6: '<</Type/Filespec/F(plan)/EF<</F 7 0 R>>>>',
        7: { body: '<</Type/EmbeddedFile/Subtype/line#0Abreak>>', stream: 'the plan' },
      },
    }),
  )
  const version = (await api.get(`${layerOf(docId)}/manifest`)).at('/attachmentsVersion')
  const file = (base: string, pin: unknown) =>
    api.get(`${base}/attachment-files/pages/obj:3/items/obj:5/data@attachmentsVersion=${pin}`)
  for (const base of [layerOf(docId), `/v1/docs/${docId}`]) {
    const answer = await file(base, version).then(done)
    t.equal(answer.text, 'the plan')
    t.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable')
    t.equal(answer.headers.get('x-embedpdf-file-type'), null, 'this type fits into no header')
    t.same([(await file(base, Number(version) - 1)).status], [404])
  }
  const patch = { file: { name: 'renamed', mimeType: 'text/plain' } }
  await api.patch(`${layerOf(docId)}/annotations/pages/obj:3/items/obj:5`, { patch }).then(done)
  const renamed = await file(layerOf(docId), version).then(done)
  t.equal(renamed.headers.get('x-embedpdf-file-name'), inTokenText('renamed'))
  t.equal(renamed.headers.get('x-embedpdf-file-type'), 'text/plain')
  t.equal(renamed.headers.get('cache-control'), 'no-store')
  t.equal((await file(`/v1/docs/${docId}`, version)).status, 404, 'other layers do not have this name')
})

t.test('scripts of other sites may read name and type', async (t) => {
  const docId = await server.upload(onePage(''))
  const { headers } = await api.get(`${layerOf(docId)}/attachments`, { origin: 'https://app.example' })
  const exposed = headers.get('access-control-expose-headers') ?? ''
  for (const name of ['X-EmbedPDF-File-Name', 'X-EmbedPDF-File-Type']) t.ok(exposed.split(', ').includes(name), name)
})
