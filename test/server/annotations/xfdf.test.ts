// XFDF in and out over HTTP: what is exported reads as XML to another program, and comes back as the same annotations
// in a fresh copy of the document, also where pages are cropped and turned.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { page as pageOfSamples, samples } from '../../workers/annotations/support/drafts.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { exchangeWith, type Listed, xfdf, xfdfType } from './support/exchange.js'

const server = await runServer(t)
const { api } = server
const turnedPdf = () => onePage('', { size: [400, 300], page: '/CropBox[20 30 380 290]/Rotate 90' })

const { importInto, exported, listed } = exchangeWith(api)

const square = (attributes: string) => xfdf(`<square page="0" rect="40,50,100,90" ${attributes}/>`)

/** Members that XFDF has no place for, and those that name objects of one file. */
const unlisted = new Set([
  ...['ref', 'reply', 'popup', 'parent', 'measure', 'captionCenter', 'modifiedBy', 'createdBy', 'userId', 'importedBy'],
])

/** Rounds numbers to a hundredth of a point. */
const comparable = (annotation: Listed): unknown =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(Object.entries(annotation).filter(([name]) => !unlisted.has(name))),
      (_, value) => (typeof value === 'number' ? Math.round(value * 50) / 50 : value),
    ),
  )

t.test(
  'annotations of every subtype come back into a fresh copy as they were, on a cropped and turned page',
  async (t) => {
    const docId = await server.upload(turnedPdf())
    const drafts = Object.entries(samples).filter(
      ([name, { data, resources }]) =>
        resources === undefined &&
        !['stamp', 'file-attachment', 'popup'].includes(data.subtype) &&
        !name.includes('turned'),
    )
    const ops = drafts.map(([name, { data }]) => ({
      type: 'annotations.create',
      page: pageOfSamples,
      data: {
        ...data,
        nm: name,
        contents: data['contents'] ?? `${name}: Ünï <b>&"' 漢字 مرحبا`,
        author: 'Zoë',
        print: true,
      },
    }))
    t.same(outcomes(await change(api, { docId }, { opId: 'make', ops })), ['applied'])
    const before = await listed(docId)
    const copy = await server.upload(turnedPdf())
    const answer = await importInto(copy, await exported(docId)).then(done)
    t.same(answer.at('/skipped'), [])
    const after = await listed(copy)
    t.equal(after.length, before.length)
    for (const [index, one] of before.entries()) {
      const other = after[index]
      t.same(other && comparable(other), comparable(one), String(one['nm']))
    }
    const again = await importInto(copy, await exported(docId)).then(done)
    t.match(again.json(), { created: { length: 0 }, updated: { length: 0 }, unchangedCount: before.length })
  },
)

t.test('replies, groups and popups keep their places', async (t) => {
  const file = xfdf(`
    <text page="0" rect="10,10,30,30" name="answer" inreplyto="first" title="Bo"><contents>Yes</contents></text>
    <highlight page="0" rect="10,50,60,70" coords="10,70,60,70,10,50,60,50" name="first" title="Al" color="#FFD400"
      creationdate="D:20250102030405Z" date="D:20250203040506+02'00'" flags="print,locked" opacity="0.5" subject="S">
      <contents>Is it?</contents><popup page="0" rect="200,50,280,90" open="yes"/></highlight>
    <underline page="0" rect="10,50,60,70" coords="10,70,60,70,10,50,60,50" name="third" inreplyto="first" replyType="group"/>`)
  const docId = await server.upload(onePage(''))
  const answer = await importInto(docId, file).then(done)
  t.same(answer.at('/skipped'), [])
  const all = await listed(docId)
  const [first, popup, reply, third] = ['highlight', 'popup', 'text', 'underline'].map((subtype) =>
    all.find((one) => one.subtype === subtype),
  )
  t.match(first, {
    author: 'Al',
    contents: 'Is it?',
    subject: 'S',
    color: '#ffd400',
    opacity: 0.5,
    locked: true,
    print: true,
    createdAt: '2025-01-02T03:04:05Z',
    modifiedAt: '2025-02-03T02:05:06Z',
    quadPoints: [{ upperLeft: { x: 10, y: 130 }, lowerRight: { x: 60, y: 150 } }],
    popup: popup?.['ref'],
  })
  t.match(popup, { open: true, parent: first?.['ref'] })
  t.match(reply, { reply: { to: first?.['ref'], type: 'reply' }, author: 'Bo' })
  t.match(third, { reply: { to: first?.['ref'], type: 'group' } })
  const text = await exported(docId)
  t.match(text, /inreplyto="first"/)
  t.match(text, /<popup page="0" rect="200,50,280,90" open="yes"\/>/)
})

t.test('an import is one change: repeated by its key, undone at once, and updates by name', async (t) => {
  const docId = await server.upload(onePage(''))
  const first = await importInto(docId, square('name="a"'), { key: 'one' }).then(done)
  const repeated = await importInto(docId, square('name="a"'), { key: 'one' }).then(done)
  t.equal(repeated.headers.get('idempotency-replayed'), 'true')
  t.same(repeated.json(), first.json())
  t.equal((await importInto(docId, square('name="b"'), { key: 'one' })).code, 'IdempotencyKeyReused')
  const second = await importInto(docId, square('name="a" color="#0000FF" width="3"'), { key: 'two' }).then(done)
  t.match(second.json(), {
    created: { length: 0 },
    updated: [{ nm: 'a', color: '#0000ff', strokeWidth: 3 }],
    skipped: { length: 0 },
  })
  t.equal((await listed(docId)).length, 1)
  t.same(outcomes(await change(api, { docId }, { opId: 'three', undoOf: 'two' })), ['applied'])
  t.match(await listed(docId), [{ nm: 'a', strokeWidth: 1 }])
  t.same(outcomes(await change(api, { docId }, { opId: 'four', undoOf: 'one' })), ['applied'])
  t.same(await listed(docId), [])
})

t.test('what an import cannot take is named, and the rest is imported', async (t) => {
  const docId = await server.upload(onePage(''))
  const answer = await importInto(
    docId,
    xfdf(`<square page="0" rect="40,50,100,90" name="ok" sparkle="1" color="reddish"><glitter/></square>
      <square page="7" rect="1,2,3,4"/><square page="0" rect="1,2,NaN,4"/><square page="0" rect="1,2,1e30,4"/>
      <square page="0"/><sound page="0" rect="1,2,3,4"/><stamp page="0" rect="1,2,30,40" icon="Draft"/>
      <circle page="0" rect="40,50,100,90" name="ok"/><text page="0" rect="5,5,25,25" inreplyto="nobody"/>
      <text page="0" rect="5,5,25,25"><contents>${'a'.repeat(262_145)}</contents></text>
      <ink page="0" rect="1,2,3,4"/><polygon page="0" rect="0,0,9,9"><vertices>1,1;2,2</vertices></polygon>
      <link page="0" rect="5,5,25,25"><OnActivation><Action Trigger="U"><URI Name="javascript:alert(1)"/></Action></OnActivation></link>`),
  ).then(done)
  const skipped = answer.at('/skipped')
  t.same(Array.isArray(skipped) && skipped.map(({ element, reason }) => `${element} ${reason}`).toSorted(), [
    'circle duplicate-name',
    'ink invalid',
    'link invalid',
    'polygon invalid',
    'sound unsupported-element',
    'square invalid',
    'square invalid',
    'square invalid',
    'square members-ignored',
    'square no-such-page',
    'stamp file-missing',
    'text invalid',
    'text reply-target-missing',
  ])
  t.equal(answer.at('/skippedCount'), 13)
  t.match(Array.isArray(skipped) && skipped.find(({ reason }) => reason === 'members-ignored'), {
    name: 'ok',
    page: 0,
    line: 2,
    members: ['sparkle', '<glitter>', 'color'],
  })
  t.same(
    (await listed(docId)).map(({ subtype }) => subtype),
    ['square', 'text'],
  )
})

t.test('authors: only doc.annotate.import keeps those of the file, and each annotation needs its right', async (t) => {
  const docId = await server.upload(onePage(''))
  const file = square('name="a" title="The Boss" creationdate="D:20200101000000Z"')
  const person = { displayName: 'Ada L.', userId: 'ada' }
  const as = async (scope: readonly string[]) => api.as(await server.documentToken(docId, scope, person))
  const reader = await as(['doc.annotate.read'])
  t.equal((await importInto(docId, file, { client: reader })).status, 403)
  const writer = await as(['doc.annotate.modify'])
  const made = await importInto(docId, file, { client: writer }).then(done)
  t.match(made.at('/created/0'), { createdBy: 'ada', userId: 'ada', importedBy: 'ada' })
  t.not(made.at('/created/0/author'), 'The Boss')
  t.notMatch(made.word('/created/0/createdAt'), /^2020/)
  const importer = await as(['doc.annotate.modify', 'doc.annotate.import'])
  const kept = await importInto(docId, file.replace('"a"', '"b"'), { client: importer }).then(done)
  t.match(kept.at('/created/0'), {
    author: 'The Boss',
    createdBy: null,
    userId: null,
    importedBy: 'ada',
    createdAt: '2020-01-01T00:00:00Z',
  })
  const creator = await as(['doc.annotate.read', 'annotations:create:self'])
  t.equal((await importInto(docId, file.replace('"a"', '"c"'), { client: creator })).status, 200)
  const update = await importInto(docId, square('name="c" color="#00FF00"'), { client: creator })
  t.match(
    update.json(),
    { created: { length: 0 }, updated: { length: 0 }, skipped: [{ reason: 'not-allowed' }] },
    'creating is no right to it',
  )
  const values = await importInto(docId, file, { client: writer, query: '?values=true' })
  t.equal(values.status, 403, 'values need the right to fill')
  t.equal((await reader.get(`${layerPath({ docId })}/annotations/export?values=true`)).status, 403)
  t.equal((await reader.get(`${layerPath({ docId })}/annotations/export`)).status, 200)
})

t.test('hostile XML is refused with a place and a code', async (t) => {
  const docId = await server.upload(onePage(''))
  const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${square('title="&b;"').slice(39)}`
  const outside = `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${square('title="&e;"').slice(39)}`
  const cases: readonly (readonly [string, string | Uint8Array, number])[] = [
    ['entities that multiply', bomb, 400],
    ['an outside entity', outside, 400],
    ['an unknown entity', square('title="&nbsp;"'), 400],
    ['no end', square('').slice(0, -8), 400],
    ['deep elements', `<xfdf>${'<a>'.repeat(5_000)}`, 413],
    ['many elements', `<xfdf>${'<a/>'.repeat(250_000)}</xfdf>`, 413],
    ['many attributes', `<xfdf ${Array.from({ length: 5_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`, 413],
    ['many annotations', xfdf('<square/>'.repeat(2_001)), 413],
    ['no XFDF', '<html/>', 400],
    ['wrong UTF-8', Buffer.from([0x3c, 0x61, 0xff, 0xfe, 0x3e]), 400],
    ['nothing', ' ', 400],
    ['17 MB', Buffer.alloc(17 * 1024 * 1024, 0x20), 413],
  ]
  for (const [what, body, status] of cases) {
    const answer: Answer = await importInto(docId, body)
    t.equal(answer.status, status, `${what}: ${answer.text.slice(0, 200)}`)
    t.match(answer.code, status === 413 ? 'PayloadTooLarge' : 'InvalidArg', what)
    t.notMatch(answer.text, /root:/, what)
  }
  t.match((await importInto(docId, bomb)).text, /at 1:\d+: a document type/)
  t.same(await listed(docId), [])
  const json = await api.send(`${layerPath({ docId })}/metadata`, { method: 'GET' })
  t.equal(json.status, 200)
  const elsewhere = await api.send(`${layerPath({ docId })}/changes`, {
    method: 'POST',
    body: '<xfdf/>',
    headers: { 'content-type': xfdfType },
  })
  t.equal(elsewhere.status, 415)
})

t.test('other programs read the export as XML and the imported PDF', needs('pikepdf', 'qpdf', 'mutool'), async (t) => {
  const docId = await server.upload(turnedPdf())
  const file = xfdf(`<ink page="0" rect="50,50,90,90" name="pen" color="#102030" width="2.5"><contents>Жук</contents>
    <inklist><gesture>50.25,50.5;70,90;90,60</gesture></inklist></ink>`)
  await importInto(docId, file).then(done)
  const folder = scratchFolder(t, 'xfdf')
  const [pdf, out] = [join(folder, 'a.pdf'), join(folder, 'a.xfdf')]
  writeFileSync(pdf, (await api.get(`${layerPath({ docId })}/download`).then(done)).bytes)
  writeFileSync(out, await exported(docId))
  const script = `
import sys, json, pikepdf, xml.etree.ElementTree as E
ns = '{http://ns.adobe.com/xfdf/}'
root = E.parse(sys.argv[2]).getroot()
ink = root.find(f'{ns}annots/{ns}ink')
pdf = pikepdf.open(sys.argv[1])
annot = pdf.pages[0].Annots[0]
print(json.dumps({'tag': root.tag, 'ink': ink.attrib, 'contents': ink.find(f'{ns}contents').text,
  'gesture': ink.find(f'{ns}inklist/{ns}gesture').text, 'list': [float(n) for n in annot.InkList[0]],
  'pdfContents': str(annot.Contents), 'width': float(annot.BS.W)}))`
  const read = JSON.parse(judged('pikepdf', ['-c', script, pdf, out]).toString('utf8'))
  t.match(read, {
    tag: '{http://ns.adobe.com/xfdf/}xfdf',
    ink: { page: '0', name: 'pen', color: '#102030', width: '2.5' },
    contents: 'Жук',
    gesture: '50.25,50.5;70,90;90,60',
    list: [50.25, 50.5, 70, 90, 90, 60],
    pdfContents: 'Жук',
    width: 2.5,
  })
  judged('qpdf', ['--check', pdf])
  t.match(judged('mutool', ['show', pdf, 'pages/1/Annots/1/Subtype']).toString(), /Ink/)
})
