// An import keeps the colours, views of pages, borders and dates of annotations, or names those that it changes.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { exchangeWith, xfdf } from './support/exchange.js'

const server = await runServer(t)
const { importInto, exported, listed } = exchangeWith(server.api)

const quads = '/QuadPoints[50 220 90 220 50 200 90 200]'
const annot = (subtype: string, entries = '') => `<</Type/Annot/Subtype/${subtype}/Rect[50 200 90 220]${entries}>>`

/** Returns what a copy without annotations has after the import of the export. */
async function copied(annotations: readonly string[]) {
  const docId = await server.upload(onePage('', { page: `/Annots[${annotations.join('')}]` }))
  const copy = await server.upload(onePage(''))
  const answer = await importInto(copy, await exported(docId)).then(done)
  return { before: await listed(docId), after: await listed(copy), skipped: answer.at('/skipped'), docId }
}

t.test('an annotation without a colour stays without one, and a highlight is named', async (t) => {
  const colourless = [
    ...[annot('Text'), annot('StrikeOut', quads), annot('Underline', quads), annot('Square', '/C[]'), annot('Circle')],
    ...[annot('Line', '/L[50 200 90 220]'), annot('Redact'), annot('Ink', '/InkList[[50 200 90 220]]')],
  ]
  const { before, after, skipped } = await copied(colourless)
  t.same(skipped, [])
  t.same(
    after.map(({ subtype, color }) => [subtype, color]),
    before.map(({ subtype, color }) => [subtype, color]),
  )
  const marked = await copied([annot('Highlight', quads)])
  t.match(marked.after, [{ color: '#ffff00' }])
  t.match(marked.skipped, [{ reason: 'members-ignored', element: 'highlight', members: ['color'] }])
  const again = await importInto(marked.docId, await exported(marked.docId)).then(done)
  t.match(again.json(), { created: { length: 0 }, updated: { length: 0 }, unchangedCount: 1, skipped: { length: 0 } })
})

t.test('a colour that a file does not state is no change of an annotation that has one', async (t) => {
  const docId = await server.upload(onePage(''))
  await importInto(docId, xfdf('<square page="0" rect="9,9,50,50" name="a" color="#00FF00"/>')).then(done)
  const answer = await importInto(docId, xfdf('<square page="0" rect="9,9,50,50" name="a"/>')).then(done)
  t.match(answer.json(), { updated: { length: 0 }, unchangedCount: 1 })
})

t.test('links keep every kind of view of a page', async (t) => {
  const views = [
    'XYZ 10 20 1.5',
    'Fit',
    'FitB',
    'FitH 30',
    'FitBH 30',
    'FitV 40',
    'FitBV 40',
    'FitR 1 2 30 40',
    'FitH null',
  ]
  const { before, after, skipped } = await copied(views.map((view) => annot('Link', `/Dest[3 0 R/${view}]`)))
  t.same(skipped, [])
  t.equal(after.length, views.length)
  t.same(
    after.map(({ target }) => target),
    before.map(({ target }) => target),
  )
})

t.test('views in foreign files are taken, and incomplete ones are named', async (t) => {
  const link = (name: string, view: string) =>
    `<link page="0" rect="1,1,20,20" name="${name}"><OnActivation><Action Trigger="U"><GoTo><Dest>${view}</Dest></GoTo></Action></OnActivation></link>`
  const file = xfdf(
    link('a', '<FitH Page="0" Top="150"/>') +
      link('b', '<FitR Page="0" Left="1"/>') +
      link('c', '<XYZ Page="0" Left="x" Top="150"/>') +
      link('d', '<Fit Page="9"/>'),
  )
  const answer = await importInto(await server.upload(onePage('')), file).then(done)
  t.match(answer.at('/created'), [
    { target: { destination: { kind: 'fitH', top: 50 } } },
    { target: null },
    { target: { destination: { kind: 'xyz', left: null, top: 50 } } },
    { target: null },
  ])
  t.match(answer.at('/skipped'), [
    { name: 'b', members: ['<OnActivation>'] },
    { name: 'c', members: ['<XYZ> Left'] },
    { name: 'd', members: ['<OnActivation>'] },
  ])
})

t.test('actions of a link that an import cannot take are named', async (t) => {
  const docId = await server.upload(onePage(''))
  const link = (name: string, actions: string) =>
    `<link page="0" rect="1,1,20,20" name="${name}"><OnActivation>${actions}</OnActivation></link>`
  const launch = '<Launch><File OriginalName="cmd.exe"/></Launch>'
  const uri = '<URI Name="https://example.com/"/>'
  const answer = await importInto(
    docId,
    xfdf(
      link('a', `<Action Trigger="U">${launch}</Action>`) +
        link('b', '<Action Trigger="U"><JavaScript>x</JavaScript></Action>') +
        link('c', `<Action Trigger="U">${uri}${launch}</Action>`) +
        link('d', `<Action Trigger="U">${uri}</Action><Action Trigger="D">${launch}</Action>`) +
        link('e', `<Action Trigger="U">${uri}</Action>`),
    ),
  ).then(done)
  t.match(answer.at('/skipped'), [
    { name: 'a', members: ['<Launch>', '<OnActivation>'] },
    { name: 'b', members: ['<JavaScript>', '<OnActivation>'] },
    { name: 'c', members: ['<Launch>'] },
    { name: 'd', members: ['<Action>'] },
  ])
  t.equal(answer.at('/skippedCount'), 4)
})

t.test('borders keep their dashes, also cloudy ones and those of older files', async (t) => {
  const { before, after, skipped } = await copied([
    annot('Square', '/C[1 0 0]/BS<</W 2/S/D/D[3 1]>>/BE<</S/C/I 2>>'),
    annot('Square', '/C[1 0 0]/BS<</W 2/S/S/D[3 1]>>/BE<</S/C/I 1>>'),
    annot('Square', '/C[1 0 0]/BS<</W 2/S/S/D[3 1]>>/BE<</S/C>>'),
    annot('Square', '/C[1 0 0]/BS<</W 2/S/S/D[3]>>'),
    annot('Circle', '/C[1 0 0]/Border[0 0 3[4 2]]'),
    annot('Circle', '/C[1 0 0]/Border[0 0 0]'),
  ])
  t.same(skipped, [])
  const borders = (list: typeof before) =>
    list.map(({ strokeWidth, borderStyle, dashArray, cloudyIntensity }) => ({
      ...{ strokeWidth, borderStyle, dashArray, cloudyIntensity },
    }))
  t.same(borders(after), borders(before))
  const [docId, dashed] = [
    await server.upload(onePage('')),
    '<square page="0" rect="9,9,50,50" name="a" style="dash"/>',
  ]
  await importInto(docId, xfdf(dashed)).then(done)
  const answer = await importInto(docId, xfdf(dashed.replace('dash"', 'solid"'))).then(done)
  t.match(answer.at('/updated'), [{ borderStyle: 'solid', dashArray: null }])
})

t.test('dates and reply types that cannot be read are named', async (t) => {
  const attributes = 'date="yesterday" creationdate="D:20251301" replyType="maybe"'
  const file = xfdf(`<square page="0" rect="9,9,50,50" ${attributes}/>`)
  const answer = await importInto(await server.upload(onePage('')), file).then(done)
  t.match(answer.at('/skipped'), [{ members: ['creationdate', 'date', 'replyType'] }])
})
