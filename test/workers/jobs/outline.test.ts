// The outline and the actions of a document: as other programs list them, whatever is broken in them.
import t, { type Test } from 'tap'
import type { Bookmark } from '../../../workers/contract/bookmarks.js'
import { actions } from '../../../workers/jobs/actions.js'
import { bookmarks } from '../../../workers/jobs/bookmarks.js'
import { needsCorpus } from '../../support/pdf/corpus.js'
import { measuredCorpus } from '../../support/pdf/corpus-index.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>'
const pages = { 2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>', 3: page, 4: page }

const sourceOf = (t: Test, catalog: string, further: RawObjects = {}) =>
  Workshop.of(t).source(rawPdf({ 1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`, ...pages, ...further }))

t.test('bookmarks have titles, looks, targets and children', async (t) => {
  const source = sourceOf(t, '/Outlines 5 0 R', {
    5: '<</Type/Outlines/First 6 0 R/Last 8 0 R/Count 3>>',
    6: '<</Title(One)/Parent 5 0 R/Next 8 0 R/First 7 0 R/Last 7 0 R/Count 1/Dest[4 0 R/XYZ 10 150 null]/F 2/C[1 0 0]>>',
    7: '<</Title<FEFF00C400630068>/Parent 6 0 R/A<</S/URI/URI(https://example.com)>>/F 1>>',
    8: '<</Title(Two)/Parent 5 0 R/Prev 6 0 R/First 9 0 R/Last 9 0 R/Count -1>>',
    9: '<</Title(Below)/Parent 8 0 R/A<</S/GoTo/D[3 0 R/Fit]>>>>',
  })
  const plain = { isBold: false, isItalic: false, isOpen: false, color: null, target: null, children: [] }
  t.same(await runner(t)(bookmarks, { source }), {
    incomplete: false,
    bookmarks: [
      {
        ...plain,
        title: 'One',
        isOpen: true,
        isBold: true,
        color: '#ff0000',
        target: {
          kind: 'goto',
          destination: {
            kind: 'xyz',
            page: { kind: 'objectNumber', objectNumber: 4 },
            x: 10,
            y: 50,
            left: 10,
            top: 50,
            zoom: null,
          },
        },
        children: [{ ...plain, title: 'Äch', isItalic: true, target: { kind: 'uri', uri: 'https://example.com' } }],
      },
      {
        ...plain,
        title: 'Two',
        children: [
          {
            ...plain,
            title: 'Below',
            target: { kind: 'goto', destination: { kind: 'fit', page: { kind: 'objectNumber', objectNumber: 3 } } },
          },
        ],
      },
    ],
  })
})

t.test('cyclic, deep and absent outlines end', async (t) => {
  const run = runner(t)
  const cyclic = sourceOf(t, '/Outlines 5 0 R', {
    5: '<</First 6 0 R>>',
    6: '<</Title(a)/Next 7 0 R/First 6 0 R>>',
    7: '<</Title(b)/Next 6 0 R>>',
  })
  const { bookmarks: found, incomplete } = await run(bookmarks, { source: cyclic })
  t.same(
    found.map(({ title }) => title),
    ['a', 'b'],
  )
  t.equal(incomplete, true)
  const deep = sourceOf(
    t,
    '/Outlines 5 0 R',
    Object.fromEntries(Array.from({ length: 200 }, (_, level) => [5 + level, `<</Title(x)/First ${6 + level} 0 R>>`])),
  )
  t.equal((await run(bookmarks, { source: deep })).incomplete, true)
  for (const outlines of ['', '/Outlines 99 0 R', '/Outlines[1 2]', '/Outlines<</First 3>>'])
    t.same(await run(bookmarks, { source: sourceOf(t, outlines) }), { bookmarks: [], incomplete: false }, outlines)
})

t.test('mutool lists the same titles in real files', { ...needs('mutool'), ...needsCorpus }, async (t) => {
  const run = runner(t)
  let listed = 0
  for (const { file, record } of measuredCorpus()) {
    if (file.isHostile) continue
    const found = await run(bookmarks, { source: file.source })
    if (found.bookmarks.length === 0) continue
    const theirs = judged('mutool', ['show', file.source.path, 'outline']).toString().split('\n')
    const titles = (items: readonly Bookmark[]): readonly string[] =>
      items.flatMap(({ title, children }) => [title, ...titles(children)])
    const ours = titles(found.bookmarks)
    t.equal(ours.length, theirs.filter((line) => line.trim() !== '').length, record.file)
    listed += ours.length
  }
  t.ok(listed > 10, `${listed} bookmarks`)
})

t.test('actions of a document are those of its catalog, in the order of a viewer', async (t) => {
  const run = runner(t)
  const script = (text: string) => `<</S/JavaScript/JS(${text})>>`
  const catalog = `/OpenAction${script('open')}/AA<</WC${script('close')}/DP${script('printed')}>>`
  const names = `/Names<</JavaScript<</Names[(a)${script('first')}(b)${script('second')}]>>>>`
  const found = await run(actions, { source: sourceOf(t, catalog + names) })
  t.match(found, {
    nameTreeScripts: [
      { name: 'a', action: { root: { type: 'javascript', script: 'first' } } },
      { name: 'b', action: { root: { script: 'second' } } },
    ],
    openAction: { root: { script: 'open' } },
    openDestination: null,
    willClose: { root: { script: 'close' } },
    didPrint: { root: { script: 'printed' } },
  })
  t.notOk('willSave' in found)
  const view = await run(actions, { source: sourceOf(t, '/OpenAction[4 0 R/FitH 100]') })
  t.match(view, { openAction: null, openDestination: { kind: 'fitH', top: 100, page: { objectNumber: 4 } } })
  const none = { nameTreeScripts: [], openAction: null, openDestination: null }
  for (const broken of ['', '/OpenAction 9', '/AA[1]', '/Names<</JavaScript 7>>'])
    t.same(await run(actions, { source: sourceOf(t, broken) }), none, broken)
})
