// Marks by content cover what is drawn: once they are applied, other programs find the text no longer, whatever the
// page's rotation, crop box and scale, also in an encrypted document.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { lockedPdf } from '../../support/pdf/locked-pdf.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { layerPath } from './support/changing.js'

const folder = scratchFolder(t, 'judged')
const server = await runServer(t)
const content = [
  'BT /F1 12 Tf 14 TL 40 150 Td (Account of Ada Love-) Tj T* (lace: DE89 3704 0044) Tj T* (0532 0130 00, open.) Tj T*',
  '(Card 4111 1111 1111 1111 or 4111 1111 1111 1112) Tj T* (Mail ada@example.org, call +44 20 7946 0958.) Tj ET',
  'q 0.5 0.5 -0.5 0.5 60 20 cm BT /F1 10 Tf 0 0 Td (Slanted Lovelace text) Tj ET Q',
].join('\n')

const pages: Readonly<Record<string, string>> = {
  plain: '',
  'rotated by 90': '/Rotate 90',
  'rotated by 270, cropped': '/Rotate 270/CropBox[20 10 320 190]',
  'cropped and scaled': '/CropBox[30 10 320 190]/UserUnit 2',
}
const pageOf = (page: string) => onePage(content, { resources: helvetica, size: [330, 200], page })

/** The text as poppler and as MuPDF read it, without line breaks and spaces. */
function textsIn(bytes: Uint8Array, password = ''): readonly string[] {
  const path = join(folder, 'judged.pdf')
  writeFileSync(path, bytes)
  const read = [
    judged('pdftotext', ['-upw', password, '-raw', path, '-']),
    judged('mutool', ['draw', '-q', '-p', password, '-F', 'txt', path]),
  ]
  return read.map((text) => text.toString('utf8').replace(/\s/g, ''))
}

const mark = async (docId: string, sought: object, client: Client) =>
  done(await client.post(`${layerPath({ docId })}/annotations/mark`, sought)).at('/total/marked')
const apply = async (docId: string, client: Client) =>
  done(await client.post(`${layerPath({ docId })}/redactions/apply`, {}))

const download = async (docId: string, client: Client) =>
  done(await client.get(`${layerPath({ docId })}/download`)).bytes

const finds: readonly (readonly [sought: object, marked: number, gone: RegExp])[] = [
  [{ text: 'lovelace' }, 2, /Lov|lace/],
  [{ preset: 'iban' }, 1, /DE89|0044|0532|013000/],
  [{ preset: 'card' }, 1, /1111or/],
  [{ preset: 'email' }, 1, /ada@|example|org/],
  // The second line of the IBAN has the form of a national number; numbers have no checksum.
  [{ preset: 'phone' }, 2, /\+44|7946|0958/],
]
const left = ['Accountof', 'Card', 'or4111111111111112', 'Mail', ',call', ',open.', 'Slan']

for (const [name, entries] of Object.entries(pages)) {
  t.test(`what is marked is gone, and nothing beside it: ${name}`, needs('pdftotext', 'mutool'), async (t) => {
    const docId = await server.upload(pageOf(entries))
    const before = textsIn(await download(docId, server.api))
    for (const [sought, marked, gone] of finds) {
      for (const text of before) t.match(text, gone)
      t.equal(await mark(docId, sought, server.api), marked, JSON.stringify(sought))
    }
    await apply(docId, server.api)
    const after = textsIn(await download(docId, server.api))
    for (const text of after) for (const [, , gone] of finds) t.notMatch(text, gone)
    for (const text of after)
      t.same(
        left.filter((word) => !text.includes(word)),
        [],
        text,
      )
  })
}

t.test('a hit over several lines has quads for each line', async (t) => {
  const docId = await server.upload(pageOf(''))
  const answer = done(await server.api.post(`${layerPath({ docId })}/annotations/mark`, { preset: 'iban' }))
  t.equal((answer.at('/annotations/0/quadPoints') as unknown[]).length, 2)
})

t.test('an encrypted document is marked in a password session', needs('qpdf', 'pdftotext', 'mutool'), async (t) => {
  const docId = await server.upload(lockedPdf(t, pageOf('/Rotate 90'), { user: 'open', owner: 'owner' }))
  const client = server.api.as(await server.documentToken(docId, ['*']))
  const path = `${layerPath({ docId })}/annotations/mark`
  t.equal((await client.post(path, { text: 'lovelace' })).code, 'DocPasswordRequired')
  t.equal((await client.post(`${path}/preview`, { text: 'lovelace' })).code, 'DocPasswordRequired')
  done(await client.post(`${layerPath({ docId })}/access`, { password: 'open' }))
  t.equal(done(await client.post(`${path}/preview`, { text: 'lovelace' })).at('/total/hits'), 2)
  t.equal(await mark(docId, { text: 'lovelace' }, client), 2)
  await apply(docId, client)
  for (const text of textsIn(await download(docId, client), 'open')) {
    t.notMatch(text, /Lov|lace/)
    t.match(text, /Accountof/)
  }
})
