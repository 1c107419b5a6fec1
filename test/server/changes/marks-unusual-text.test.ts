// Words that are set apart, without a size, or drawn twice are found, marked and removed like others: nothing of them is
// left in the file.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { layerPath } from './support/changing.js'

const folder = scratchFolder(t, 'judged')
const server = await runServer(t)
const { api } = server
const upload = (content: string) => server.upload(onePage(content, { resources: helvetica, size: [400, 300] }))
const layer = (docId: string) => layerPath({ docId })
const preview = async (content: string, sought: object) =>
  done(await api.post(`${layer(await upload(content))}/annotations/mark/preview`, sought))

const text = (state: string, place: string, words: string) => `BT ${state} ${place} Td (${words}) Tj ET\n`
const standard = text('/F1 14 Tf', '20 250', 'left alone')
const twice = text('/F1 14 Tf', '20 100', 'a SECRET b').repeat(2)

const drawings: Readonly<Record<string, readonly [content: string, hits: number]>> = {
  'set apart': [text('/F1 14 Tf 2.5 Tc', '20 100', 'a SECRET word'), 1],
  'set wide apart': [text('/F1 14 Tf 12 Tc', '20 100', 'a SECRET word'), 1],
  'set apart and not': [text('/F1 14 Tf', '20 150', 'a SECRET') + text('/F1 14 Tf 5 Tc', '20 100', 'SECRET spaced'), 2],
  'of font size 0': [text('/F1 0 Tf', '20 100', 'a SECRET b'), 1],
  'drawn twice': [twice, 1],
  'drawn twice with others between': [twice + text('/F1 14 Tf', '20 150', 'other') + twice, 1],
  'drawn twice, a little apart': [twice + text('/F1 14 Tf', '20.4 100', 'a SECRET b'), 2],
}

/** Returns all that programs read, and the content as it is written. */
function contentsOf(bytes: Uint8Array): readonly string[] {
  const path = join(folder, 'judged.pdf')
  writeFileSync(path, bytes)
  return [
    judged('pdftotext', ['-raw', path, '-']),
    judged('mutool', ['draw', '-q', '-F', 'txt', path]),
    judged('qpdf', ['--qdf', '--object-streams=disable', path, '-']),
  ].map((output) => output.toString('latin1').replace(/\s/g, ''))
}

for (const [how, [content, hits]] of Object.entries(drawings)) {
  t.test(`a word is marked and removed: ${how}`, needs('pdftotext', 'mutool', 'qpdf'), async (t) => {
    const docId = await upload(standard + content)
    const found = done(await api.get(`${layer(docId)}/search/full/data?q=secret`)).at('/matches') as unknown[]
    t.equal(found.length, hits)
    const marked = done(await api.post(`${layer(docId)}/annotations/mark`, { text: 'SECRET', matchCase: true }))
    t.match(marked.at('/total'), { hits, marked: hits, skipped: 0 })
    const again = done(await api.post(`${layer(docId)}/annotations/mark`, { text: 'SECRET', matchCase: true }))
    t.match(again.at('/total'), { hits, marked: 0, skipped: hits })
    const applied = done(await api.post(`${layer(docId)}/redactions/apply`, {}))
    t.same(applied.at('/alsoFound'), [])
    for (const left of contentsOf(done(await api.get(`${layer(docId)}/download`)).bytes)) {
      t.match(left, 'leftalone')
      t.notMatch(left, /SECRET|S.?E.?C.?R/)
    }
  })
}

t.test('what a redaction leaves of words that are set apart is reported', async (t) => {
  const spaced = text('/F1 14 Tf 5 Tc', '20 100', 'SECRET spaced')
  const docId = await upload(text('/F1 14 Tf', '20 150', 'a SECRET') + spaced)
  done(await api.post(`${layer(docId)}/annotations/mark`, { regex: 'SECRET' }))
  const applied = done(await api.post(`${layer(docId)}/redactions/apply`, {}))
  t.match(applied.at('/alsoFound'), [{ where: 'pages', count: 1 }])
})

t.test('characters without a size count as hidden', async (t) => {
  for (const [state, hidden] of [
    ['/F1 0 Tf', 8],
    ['/F1 12 Tf 0 Tz', 8],
    ['/F1 12 Tf 0.5 0 0 0 9 9 Tm', 8],
    ['/F1 12 Tf', 0],
    ['/F1 12 Tf 12 Tc', 0],
  ] as const) {
    const answer = await preview(standard + text(state, '20 100', 'a SECRET b'), { text: 'nothing' })
    t.equal(answer.at('/total/unseen/hiddenCharacters'), hidden, state)
  }
  const clipped = `q 0 0 0 0 0 0 cm ${text('/F1 12 Tf', '20 100', 'a SECRET b')} Q`
  t.equal((await preview(standard + clipped, { text: 'nothing' })).at('/total/unseen/hiddenCharacters'), 8)
})
