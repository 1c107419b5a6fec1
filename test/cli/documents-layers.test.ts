// `documents` commands on layers: selection of the layer, rotation of pictures, and the note about an unedited layer.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { degrees, PDFDocument } from 'pdf-lib'
import t from 'tap'
import { runServer } from '../server/support/running-server.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const folder = scratchFolder(t)
const data = join(folder, 'data')
mkdirSync(data)
const server = await runServer(t, { folder: data })
const env = { STEWARD_URL: server.url, STEWARD_API_TOKEN: server.apiToken }
const documents = (...words: readonly string[]) => agentsHere(['documents', ...words], { folder, env })

const pdf = await PDFDocument.create()
for (const text of ['first', 'second']) pdf.addPage([400, 600]).drawText(text)
pdf.getPage(0).setRotation(degrees(90))
writeFileSync(join(folder, 'pages.pdf'), await pdf.save())
await documents('upload', 'pages.pdf', '--id', 'pages')

async function deletePage(layer: string, key: number): Promise<void> {
  const { pages } = await sent<{ pages: { page: object }[] }>(`${layer}/manifest`)
  await sent(`${layer}/pages/delete`, { pages: [pages[key]?.page] })
}

async function sent<Answer>(path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${server.url}/v1/docs/pages/layers/${path}`, {
    headers: { authorization: `Bearer ${server.apiToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Answer
}

/** Returns width and height from the header of a PNG. */
function sizeOf(name: string): readonly number[] {
  const bytes = readFileSync(join(folder, name))
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

t.test('a page is drawn rotated as a viewer shows it, unless --rotation names another', async (t) => {
  await documents('render', 'pages', '--width', '300', '--out', 'shown.PNG')
  t.same(sizeOf('shown.PNG'), [300, 200])
  await documents('render', 'pages', '--width', '300', '--rotation', '0', '--out', 'upright.png')
  t.same(sizeOf('upright.png'), [300, 450])
  t.equal((await documents('render', 'pages', '--rotation', '45')).code, 64)
})

t.test('a picture with another file extension is refused before any request or write', async (t) => {
  for (const name of ['page.gif', 'page', 'png']) {
    const run = await documents('render', 'pages', '--out', name)
    t.equal(run.code, 64)
    t.match(run.stderr, /must end in \.webp or \.png/)
    t.notOk(existsSync(join(folder, name)))
  }
})

t.test('text, picture and download are read from the named layer', async (t) => {
  await deletePage('legal', 0)
  t.match((await documents('text', 'pages')).stdout, /first\n[\s\S]*second/)
  const legal = await documents('text', 'pages', '--layer', 'legal')
  t.equal(legal.stdout.trim(), 'second')
  t.equal(legal.stderr, '')
  await documents('render', 'pages', '--layer', 'legal', '--width', '300', '--out', 'legal.png')
  t.same(sizeOf('legal.png'), [300, 450], 'the second page, which is not rotated')
})

t.test('a note says that a layer without edits shows the upload', async (t) => {
  const remark = 'Nobody has edited the layer "legl": it shows the document as uploaded.\n'
  const run = await documents('download', 'pages', '--layer', 'legl', '--out', 'typo.pdf')
  t.same(readFileSync(join(folder, 'typo.pdf')), readFileSync(join(folder, 'pages.pdf')))
  t.match(run, { code: 0, stdout: 'typo.pdf\n' })
  t.equal(run.stderr, remark)
  t.equal((await documents('text', 'pages', '--layer', 'legl')).stderr, remark)
})

t.test('documents that cannot be deleted are reported, and the others are deleted', async (t) => {
  await documents('upload', 'pages.pdf', '--id', 'old')
  const run = await documents('delete', '--yes', 'missing', 'old', 'old', '--json')
  t.equal(run.code, 3)
  t.match(records(run.stdout), [
    { type: 'diagnostic', code: 'documents.refused', detail: /^missing: NotFound: [^.]+\.$/ },
    { type: 'deleted', id: 'old' },
  ])
  t.equal((await documents('delete', '--yes', 'missing')).code, 1)
})

t.test('an import under --reuse needs the hash', async (t) => {
  const run = await documents('import', 'https://example.com/a.pdf', '--reuse')
  t.match(run, { code: 64, stderr: /--reuse needs --sha256/ })
})
