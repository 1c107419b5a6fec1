import t, { type Test } from 'tap'
import type { ActionTree } from '../../../workers/contract/action-tree.js'
import type { LinkTarget } from '../../../workers/contract/link-target.js'
import { readingLimits } from '../../../workers/objects/reading-limits.js'
import { type AnnotatedPdf, annotatedPdf, pageNumber } from '../../support/pdf/annotated-pdf.js'
import { readsOf } from '../../support/pdf/reads.js'

const page = { kind: 'objectNumber', objectNumber: pageNumber } as const

function target(t: Test, entries: string, rest: AnnotatedPdf = {}): LinkTarget | null | undefined {
  const annotations = [`/Subtype/Link/Rect[0 0 9 9]${entries}`]
  const [link] = readsOf(t, annotatedPdf({ annotations, ...rest })).annotations().annotations
  return link?.subtype === 'link' ? link.target : undefined
}

const goto = (destination: object) => ({ kind: 'goto', destination: { page, ...destination } })

t.test('coordinates of a destination are in the page space of its page (shapes 5)', async (t) => {
  const views: readonly (readonly [string, object])[] = [
    ['/XYZ 30 560 1.5', { kind: 'xyz', x: 10, y: 20, left: 10, top: 20, zoom: 1.5 }],
    ['/XYZ null null 0', { kind: 'xyz', x: null, y: null, left: null, top: null, zoom: null }],
    ['/XYZ', { kind: 'xyz', x: null, y: null, left: null, top: null, zoom: null }],
    ['/Fit', { kind: 'fit' }],
    ['/FitB', { kind: 'fitB' }],
    ['/FitH 560', { kind: 'fitH', y: 20, top: 20 }],
    ['/FitBH null', { kind: 'fitBH', y: null, top: null }],
    ['/FitV 30', { kind: 'fitV', x: 10, left: 10 }],
    ['/FitBV 30', { kind: 'fitBV', x: 10, left: 10 }],
    [
      '/FitR 30 480 130 560',
      { kind: 'fitR', x: 10, y: 20, width: 100, height: 80, left: 10, bottom: 100, right: 110, top: 20 },
    ],
    ['/toString', { kind: 'fit' }],
    ['', { kind: 'fit' }],
  ]
  for (const [view, destination] of views) {
    t.same(target(t, `/Dest[3 0 R ${view}]`), goto(destination), view)
    t.same(target(t, `/A<</S/GoTo/D[0 ${view}]>>`), goto(destination), `page by its place, ${view}`)
  }
})

t.test('named destinations are found in the name tree and in the /Dests dictionary', async (t) => {
  const catalog = '/Dests<</old[3 0 R/Fit]>>/Names<</Dests<</Kids[60 0 R]>>>>'
  const further = { 60: '<</Names[(a)[3 0 R/FitH 560](b)<</D[3 0 R/Fit]>>(c) 7]/Kids[60 0 R]>>' }
  t.same(target(t, '/Dest/old', { catalog, further }), goto({ kind: 'fit' }))
  t.same(target(t, '/Dest(a)', { catalog, further }), goto({ kind: 'fitH', y: 20, top: 20 }))
  t.same(target(t, '/A<</S/GoTo/D(b)>>', { catalog, further }), goto({ kind: 'fit' }))
  for (const name of ['(c)', '(missing)', '/toString']) {
    t.same(target(t, `/Dest${name}`, { catalog, further }), { kind: 'unsupported' }, name)
  }
})

t.test('a destination that is not a page of the document is reported as unsupported', async (t) => {
  for (const destination of ['[99 0 R/Fit]', '[10 0 R/Fit]', '[7/Fit]', '[-1/Fit]', '[]', '[null/Fit]', '5']) {
    t.same(target(t, `/Dest ${destination}`), { kind: 'unsupported' }, destination)
  }
})

t.test('URI, named and remote actions are read as targets', async (t) => {
  t.same(target(t, '/A<</S/URI/URI(https://example.com/?q=1)>>'), { kind: 'uri', uri: 'https://example.com/?q=1' })
  t.same(target(t, '/A<</S/GoToR/F(other.pdf)/D[0/Fit]>>'), { kind: 'goto-remote', file: 'other.pdf' })
  t.same(target(t, '/A<</S/GoToR/F<</UF(b.pdf)/F(a.pdf)>>>>'), { kind: 'goto-remote', file: 'b.pdf' })
  t.same(target(t, '/A<</S/Launch/Win<</F(calc.exe)>>>>'), { kind: 'launch', path: 'calc.exe' })
  t.same(target(t, '/A<</S/JavaScript/JS(x)>>'), { kind: 'javascript' })
  t.same(target(t, '/A<</S/Named/N/NextPage>>'), { kind: 'named', name: 'NextPage' })
  for (const action of ['<</S/URI>>', '<</S/GoToR>>', '<</S/Launch>>', '<</S/Named>>', '<</S/Hide>>', '<<>>']) {
    t.same(target(t, `/A${action}`), { kind: 'unsupported' }, action)
  }
  t.equal(target(t, ''), null)
  t.equal(target(t, '/A 7'), null)
})

function activated(t: Test, action: string, further: AnnotatedPdf['further'] = {}): ActionTree {
  const annotations = [`/Subtype/Screen/Rect[0 0 9 9]/A ${action}`]
  const [annotation] = readsOf(t, annotatedPdf({ annotations, further })).annotations().annotations
  const tree = annotation?.actions?.activate
  if (tree === undefined) throw new Error('The link has no actions')
  return tree
}

t.test('an action and its successors form a tree (shapes 5)', async (t) => {
  const script = { 60: { body: '<<>>', stream: 'app.alert(1)' } }
  t.same(activated(t, '<</S/JavaScript/JS 60 0 R/Next[<</S/GoTo3DView>><</S/Odd/Next<</S/Trans>>>>]>>', script), {
    root: {
      type: 'javascript',
      subtype: 'JavaScript',
      script: 'app.alert(1)',
      next: [
        { type: 'goto-3d-view', subtype: 'GoTo3DView', next: [] },
        { type: 'unknown', subtype: 'Odd', next: [{ type: 'transition', subtype: 'Trans', next: [] }] },
      ],
    },
    incomplete: false,
    warningFlags: 0,
    warnings: [],
  })
})

t.test('cyclic actions are cut off, invalid ones are omitted, and the tree is marked as incomplete', async (t) => {
  const circle = activated(t, '60 0 R', {
    60: '<</S/URI/URI(a)/Next 61 0 R>>',
    61: '<</S/Hide/T(b)/Next[60 0 R 7]>>',
  })
  t.match(circle, {
    root: { type: 'uri', next: [{ type: 'hide', next: { length: 0 } }] },
    incomplete: false,
    warningFlags: 3,
    warnings: ['cycle-dropped', 'malformed-next'],
  })
  const twice = activated(t, '<</S/URI/URI(a)/Next[60 0 R 60 0 R]>>', { 60: '<</S/Hide/T(b)>>' })
  t.same(twice.warnings, [], 'the same action in two places is no circle')
})

t.test('action trees with too many or endless successors are cut off and marked as incomplete', async (t) => {
  const further: Record<number, string> = {}
  for (let level = 0; level < 200; level++) further[100 + level] = `<</S/Hide/T(b)/Next[${101 + level} 0 R]>>`
  const deep = activated(t, '100 0 R', further)
  t.match(deep, { incomplete: true, warnings: ['incomplete'], warningFlags: 4 })
  const wide: Record<number, string> = {}
  for (let level = 0; level < 20; level++) wide[100 + level] = `<</S/Hide/Next[${`${101 + level} 0 R `.repeat(10)}]>>`
  const tree = activated(t, '100 0 R', wide)
  t.equal(tree.incomplete, true)
  t.ok(JSON.stringify(tree).split('"type"').length <= readingLimits.actionsMax + 1)
})

t.test('all action trees of an answer share one budget, and reading stops where it ends', async (t) => {
  const further: Record<number, string> = {}
  const [first, chain] = [10_000, 40]
  for (let level = 0; level < chain; level++) {
    further[first + level] = `<</S/Named/N/Print/Next[${`${first + 1 + level} 0 R `.repeat(200)}]>>`
  }
  further[first + chain] = '<</S/Named/N/Print>>'
  const annotations = Array.from({ length: 3_000 }, () => `/Subtype/Link/Rect[0 0 9 9]/A ${first} 0 R`)
  const reads = readsOf(t, annotatedPdf({ annotations, further })).annotations().annotations
  const trees = reads.map(({ actions }) => actions?.activate)
  t.ok(trees.every((tree) => tree?.incomplete))
  const count = JSON.stringify(trees).split('"type"').length - 1
  t.ok(count <= readingLimits.answerActionPartsMax, `${count} actions`)
  t.match(trees.at(-1), { root: null, warnings: ['incomplete'] }, 'nothing is read any more')
  t.match(trees[0]?.root, { type: 'named', next: [{ type: 'named' }] })
})

t.test('an endless list of invalid successors is read as far as the budget goes', async (t) => {
  const first = 10_000
  const further = { [first]: `<</S/Named/N/Print/Next[${'7 '.repeat(200)}]>>` }
  const annotations = Array.from({ length: 3_000 }, () => `/Subtype/Link/Rect[0 0 9 9]/A ${first} 0 R`)
  const reads = readsOf(t, annotatedPdf({ annotations, further })).annotations().annotations
  t.match(reads[0]?.actions?.activate, { root: { type: 'named' }, warnings: ['malformed-next'] })
  t.match(reads.at(-1)?.actions?.activate, { root: null, warnings: ['incomplete'] })
})

t.test('actions say what they do, and what the file does not say is marked (newest published shapes)', async (t) => {
  const root = (action: string, further: AnnotatedPdf['further'] = {}) => {
    const { root, warnings } = activated(t, action, further)
    const { next: _, ...members } = root ?? { next: [] }
    return [members, warnings]
  }
  const page = { kind: 'objectNumber', objectNumber: 3 }
  const [uri, dropped] = ['https://example.com/?q=1', ['payload-dropped']]
  t.same(root(`<</S/URI/URI(${uri})/IsMap true>>`), [{ type: 'uri', subtype: 'URI', uri, isMap: true }, []])
  const cut = { type: 'uri', subtype: 'URI', uri: 'http://ex', isMap: false }
  t.same(root('<</S/URI/URI(http://ex\\000ample.com)>>'), [cut, dropped])
  t.same(root('<</S/URI>>'), [{ type: 'uri', subtype: 'URI', uri: '', isMap: false }, dropped])
  t.match(root('<</S/GoTo/D[3 0 R/Fit]>>'), [{ type: 'goto', destination: { kind: 'fit', page } }, { length: 0 }])
  t.same(root('<</S/GoTo/D(nowhere)>>'), [{ type: 'unknown', subtype: 'GoTo' }, dropped])
  t.match(root('<</S/Named/N/NextPage>>'), [{ type: 'named', name: 'NextPage' }, { length: 0 }])
  for (const [kind, type] of [
    ['GoToR', 'goto-remote'],
    ['GoToE', 'goto-embedded'],
    ['Launch', 'launch'],
  ])
    t.match(root(`<</S/${kind}/F(other.pdf)>>`), [{ type, filePath: 'other.pdf' }, { length: 0 }])
  t.match(root('<</S/JavaScript>>'), [{ type: 'javascript', script: '' }, dropped])
  const targets = [
    { kind: 'name', name: 'a.b' },
    { kind: 'objectNumber', objectNumber: 60 },
  ]
  const field = { 60: '<</T(c)>>' }
  t.same(root('<</S/Hide/T[(a.b)60 0 R]/H false>>', field), [
    { type: 'hide', subtype: 'Hide', targets, hide: false },
    [],
  ])
  t.match(root('<</S/Hide/T(a.b)>>'), [{ targets: targets.slice(0, 1), hide: true }, { length: 0 }])
  t.match(root('<</S/Hide/T[7(a.b)]>>'), [{ targets: targets.slice(0, 1) }, dropped])
  t.match(root('<</S/ResetForm>>'), [{ type: 'reset-form', fields: null, exclude: false }, { length: 0 }])
  t.match(root('<</S/ResetForm/Fields[(a.b)60 0 R]/Flags 1>>', field), [
    { fields: targets, exclude: true },
    { length: 0 },
  ])
  const flags = { raw: 44, format: 'xfdf', method: 'get', exclude: false, embedForm: false }
  t.match(root(`<</S/SubmitForm/F<</FS/URL/F(${uri})>>/Flags 44/CharSet(utf-8)>>`), [
    { type: 'submit-form', payload: { url: uri, fields: null, flags, charSet: 'utf-8' } },
    { length: 0 },
  ])
  t.same(root('<</S/SubmitForm>>'), [{ type: 'submit-form', subtype: 'SubmitForm' }, dropped])
  const many = `<</S/Hide/T[${'(a)'.repeat(2_000)}]>>`
  t.same(root(many)[1], ['incomplete'])
})
