// The region, border and highlighting of links, the symbol of carets and the flags of popups go through a file of XFDF.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import { exchangeWith, xfdf } from './support/exchange.js'

const server = await runServer(t)
const { api } = server
const { importInto, exported, listed } = exchangeWith(api)
const download = async (docId: string) => done(await api.get(`${layerPath({ docId })}/download`)).text

const link = (entries: string) => `<</Type/Annot/Subtype/Link/Rect[10 10 60 30]/NM(one)${entries}>>`
const withAnnotation = (body: string) => onePage('', { page: '/Annots[5 0 R]', further: { 5: body } })
const quads = '10 30 60 30 10 10 60 10'
const tight = (text: string) => text.replace(/\s+/g, ' ').replace(/ ?([/[\]<>]) ?/g, '$1')

for (const [what, entries, attributes, written = entries] of [
  ['a region', `/Border[0 0 0]/QuadPoints[${quads}]`, 'width="0" coords="10,30,60,30,10,10,60,10"'],
  ['a border', '/Border[0 0 2]', 'width="2"'],
  ['a dashed border', '/Border[0 0 2[4 1]]', 'width="2" style="dash" dashes="4,1"'],
  ['a line below', '/BS<</W 3/S/U>>', 'width="3" style="underline"'],
  ['no border', '/Border[0 0 0]', 'width="0"'],
  ['the border of readers', '', 'width="1"', '/Border[0 0 1]'],
  ['a highlighting', '/Border[0 0 0]/H/P', 'width="0" Highlight="P"'],
] as const)
  t.test(`a link keeps ${what}`, async (t) => {
    const text = await exported(await server.upload(withAnnotation(link(entries))))
    const elementIn = (file: string) =>
      /<link [^>]*>/.exec(file)?.[0].replace(/ (?:date|creationdate|steward:id)="[^"]*"/g, '') ?? ''
    const element = elementIn(text)
    for (const attribute of attributes.split(/ (?=\w+=)/)) t.match(element, attribute)
    const copy = await server.upload(onePage(''))
    t.match(done(await importInto(copy, text)).json(), { created: [{ subtype: 'link' }], skipped: { length: 0 } })
    const object = tight(/\/Subtype\s*\/Link[\s\S]*?endobj/.exec(await download(copy))?.[0] ?? '')
    for (const entry of written.split(/(?=\/(?:Border|QuadPoints|H|BS)\b)/)) t.match(object, entry)
    t.equal(elementIn(await exported(copy)), element)
    t.match(done(await importInto(copy, text)).json(), {
      created: { length: 0 },
      updated: { length: 0 },
      unchangedCount: 1,
      skipped: { length: 0 },
    })
  })

t.test('an import that is undone leaves nothing of a link', async (t) => {
  const docId = await server.upload(onePage(''))
  const element = '<link page="0" rect="10,10,60,30" name="a" width="2" Highlight="Push"/>'
  done(await importInto(docId, xfdf(element), { key: 'in' }))
  t.match(await exported(docId), /width="2"[^>]* Highlight="P"/)
  t.same(outcomes(await change(api, { docId }, { opId: 'back', undoOf: 'in' })), ['applied'])
  t.same(await listed(docId), [])
})

t.test('an update names what it cannot change, and an import what it cannot use', async (t) => {
  const docId = await server.upload(withAnnotation(link('/Border[0 0 2]/H/P')))
  const element = (name: string, attributes: string) =>
    xfdf(`<link page="0" rect="10,10,60,30" name="${name}" ${attributes}/>`)
  const updated = done(await importInto(docId, element('one', 'width="3.0" Highlight="P" coords="1,2,3,4,5,6,7,8"')))
  t.match(updated.json(), { unchangedCount: 1, skipped: [{ reason: 'members-ignored', members: ['coords', 'width'] }] })
  const same = done(await importInto(docId, element('one', 'width="2.001" style="solid" Highlight="Push"')))
  t.same(same.at('/skipped'), [])
  const odd = 'coords="1,2,3" width="-1" style="wavy" dashes="x" Highlight="Q"'
  t.match(done(await importInto(docId, element('two', odd))).at('/skipped/0/members'), [
    'coords',
    'width',
    'style',
    'dashes',
    'Highlight',
  ])
})

t.test('a caret keeps its symbol', async (t) => {
  const caret = '<</Type/Annot/Subtype/Caret/Rect[10 10 30 30]/NM(one)/C[1 0 0]/Sy/P>>'
  const text = await exported(await server.upload(withAnnotation(caret)))
  t.match(text, / symbol="P"/)
  for (const symbol of ['P', 'paragraph', 'None']) {
    const copy = await server.upload(onePage(''))
    const file = text.replace('symbol="P"', `symbol="${symbol}"`)
    t.same(done(await importInto(copy, file)).at('/skipped'), [])
    t.match(await download(copy), symbol === 'None' ? /\/Sy ?\/None/ : /\/Sy ?\/P/)
  }
})

t.test('a popup keeps its flags', async (t) => {
  const popup = '<popup page="0" rect="100,50,180,90" flags="print,nozoom,norotate" open="no"/>'
  const docId = await server.upload(onePage(''))
  const note = `<text page="0" rect="10,10,30,30" name="a"><contents>x</contents>${popup}</text>`
  t.same(done(await importInto(docId, xfdf(note))).at('/skipped'), [])
  t.match(
    (await listed(docId)).find(({ subtype }) => subtype === 'popup'),
    { print: true, noZoom: true, noRotate: true, hidden: false },
  )
  t.match(await exported(docId), popup)
})
