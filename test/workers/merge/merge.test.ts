// Merges of a layer with a new version: the result has the edits of both sides, conflicts are reported, and no object is left
// without a place.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import type { Op } from '../../support/pdf/changing.js'
import { formPdf, named, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { judged, needs, python } from '../../support/pdf/judges.js'
import { layersOf, type Merged, mergedOver, mergeOutputOf } from '../../support/pdf/merging.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation, everyField, everyPage } from '../../support/pdf/rich-pdf.js'

const judges = needs('qpdf', 'pikepdf', 'mutool', 'pdftotext')

const square = (page: number, x: number): Op => ({
  type: 'annotations.create',
  page: pageRef(page),
  data: { subtype: 'square', box: { x, y: 20, width: 30, height: 30 } },
})
const setValue = (name: string, value: object): Op => ({ type: 'forms.setValue', field: named(name), value })
const annotation = (page: number, objectNumber: number) => ({ kind: 'objectNumber', page: pageRef(page), objectNumber })

async function both(t: Test, pdf: Buffer, { theirs, ours }: { theirs: readonly Op[]; ours: readonly Op[] }) {
  const layers = layersOf(t, pdf)
  for (const op of theirs) await layers.theirs.apply(op)
  for (const op of ours) await layers.ours.apply(op)
  const merged = await mergedOver(t, layers)
  verify(t, merged)
  return { ...layers, ...merged }
}

function verify(t: Test, { sent, version }: Pick<Merged, 'sent' | 'version'>): void {
  const bytes = readFileSync(version)
  t.ok(readFileSync(sent).subarray(0, bytes.length).equals(bytes), 'the version is the beginning of what is sent')
  judged('qpdf', ['--check', sent])
  const { stdout, stderr } = spawnSync(python, [join(import.meta.dirname, 'well-formed.py'), sent])
  t.equal(stdout.toString(), '', 'the result is well-formed')
  t.equal(stderr.toString(), '')
}

const subtypesOn = ({ reads }: Merged, page: number) =>
  reads.annotations(page).annotations.map(({ subtype }) => subtype)
const fieldOf = ({ reads }: Merged, name: string) => {
  const found = reads.form().fields.find((field) => field.name === name)
  if (found === undefined) throw new Error(`There is no field ${name}`)
  return found as typeof found & { readonly value?: unknown }
}

t.test('annotations of both sides are on the page, those of the layer on top', judges, async (t) => {
  const merged = await both(t, onePage(''), { theirs: [square(3, 10)], ours: [square(3, 60), square(3, 90)] })
  t.same(merged.conflicts, [])
  t.same(
    merged.reads.annotations(3).annotations.map((one) => 'box' in one && one.box.x),
    [10, 60, 90],
  )
  t.notOk(merged.output.losesEdits)
})

t.test('deletions and creations of both sides are in the result', judges, async (t) => {
  const pdf = annotatedPdf({
    annotations: ['/Subtype/Square/Rect[30 480 90 560]', '/Subtype/Circle/Rect[30 480 90 560]'],
  })
  const merged = await both(t, pdf, {
    theirs: [{ type: 'annotations.delete', ref: annotation(3, 10) }, square(3, 200)],
    ours: [{ type: 'annotations.delete', ref: annotation(3, 11) }, square(3, 250)],
  })
  t.same(merged.conflicts, [])
  t.same(subtypesOn(merged, 3), ['square', 'square'])
})

t.test("an order that one side gave stays; of two orders it is the version's, and reported", judges, async (t) => {
  const pdf = annotatedPdf({
    annotations: ['/Subtype/Square', '/Subtype/Circle', '/Subtype/Square'].map(
      (entries) => `${entries}/Rect[30 480 90 560]`,
    ),
  })
  const [first, second, last] = [10, 11, 12].map((number) => annotation(3, number))
  const move = (ref: unknown, position: string): Op =>
    ({ type: 'annotations.reorder', page: pageRef(3), refs: [ref], position }) as Op
  const removed: Op = { type: 'annotations.delete', ref: annotation(3, 11) }
  const cases: readonly [theirs: readonly Op[], ours: readonly Op[], order: readonly number[], conflicts: number][] = [
    [[removed], [move(last, 'start')], [12, 10], 0],
    [[square(3, 200)], [move(last, 'start'), square(3, 250)], [12, 10, 11, 0, 0], 0],
    [[move(first, 'end')], [removed, square(3, 250)], [12, 10, 0], 0],
    [[move(first, 'end')], [move(second, 'start')], [11, 12, 10], 1],
    [[move(last, 'start')], [move(last, 'start')], [12, 10, 11], 0],
  ]
  for (const [theirs, ours, order, conflicts] of cases) {
    const merged = await both(t, pdf, { theirs, ours })
    const numbers = merged.reads.annotations(3).annotations.map(({ ref }) => Number(Object(ref).objectNumber))
    t.same(
      numbers.map((number) => (number > 12 ? 0 : number)),
      order,
    )
    t.equal(merged.conflicts.length, conflicts)
  }
})

t.test(
  "members of one annotation come from the side that changed them; a member of both is the layer's",
  judges,
  async (t) => {
    const pdf = annotatedPdf({ annotations: ['/Subtype/Square/Rect[30 480 90 560]/C[0 0 0]/Contents(Before)'] })
    const update = (patch: object): Op => ({ type: 'annotations.update', ref: annotation(3, 10), patch })
    const merged = await both(t, pdf, {
      theirs: [update({ color: '#ff0000', contents: 'Theirs' })],
      ours: [update({ strokeWidth: 4, contents: 'Ours' })],
    })
    const [one] = merged.reads.annotations(3).annotations
    t.match(one, { color: '#ff0000', strokeWidth: 4, contents: 'Ours' })
    t.match(merged.conflicts, [{ objectNumber: 10, path: '/Contents', kept: 'layer', reason: 'both-changed' }])
    const appearance = judged('mutool', ['show', '-b', merged.sent, 'pages/1/Annots/1/AP/N']).toString()
    t.match(appearance, /1 0 0 RG[\s\S]*4 w|4 w[\s\S]*1 0 0 RG/, 'it is drawn with members of both')
  },
)

t.test('an annotation that one side deleted and the other changed is gone, and reported', judges, async (t) => {
  const pdf = annotatedPdf({
    annotations: ['/Subtype/Square/Rect[30 480 90 560]', '/Subtype/Circle/Rect[30 480 90 560]'],
  })
  const remove = (number: number): Op => ({ type: 'annotations.delete', ref: annotation(3, number) })
  const change = (number: number): Op => ({
    type: 'annotations.update',
    ref: annotation(3, number),
    patch: { contents: 'Changed' },
  })
  const merged = await both(t, pdf, { theirs: [remove(10), change(11)], ours: [change(10), remove(11)] })
  t.same(subtypesOn(merged, 3), [])
  t.match(
    merged.conflicts.toSorted((one, other) => one.objectNumber - other.objectNumber),
    [
      { objectNumber: 10, version: 'removed', layer: 'changed', kept: 'version', reason: 'removed' },
      { objectNumber: 11, version: 'changed', layer: 'removed', kept: 'layer', reason: 'removed' },
    ],
  )
  t.ok(merged.output.losesEdits)
})

t.test('a reply to an annotation that the other side deleted stays, as an annotation of its own', judges, async (t) => {
  const reply: Op = {
    type: 'annotations.create',
    page: pageRef(3),
    data: {
      subtype: 'text',
      rect: { x: 5, y: 5, width: 20, height: 20 },
      contents: 'Reply',
      reply: { to: annotation(3, 10) },
    },
  }
  const pdf = annotatedPdf({ annotations: ['/Subtype/Text/Rect[30 480 50 500]/Contents(First)'] })
  const remove: Op = { type: 'annotations.delete', ref: annotation(3, 10) }
  for (const [theirs, ours] of [
    [[remove], [reply]],
    [[reply], [remove]],
  ] as const) {
    const merged = await both(t, pdf, { theirs, ours })
    t.match(merged.reads.annotations(3).annotations, [{ contents: 'Reply' }])
    t.match(merged.conflicts, [{ objectNumber: 10, reason: 'removed' }])
  }
})

t.test("fields: values of both sides, and a value of both is the layer's", judges, async (t) => {
  const merged = await both(t, formPdf(), {
    theirs: [setValue('person.first', { value: 'Theirs' }), setValue('plain', { value: 'Theirs' })],
    ours: [setValue('person.last', { value: 'Ours' }), setValue('plain', { value: 'Ours' })],
  })
  t.equal(fieldOf(merged, 'person.first').value, 'Theirs')
  t.equal(fieldOf(merged, 'person.last').value, 'Ours')
  t.equal(fieldOf(merged, 'plain').value, 'Ours')
  t.match(merged.conflicts, [{ path: '/V', kept: 'layer' }])
  const text = judged('pdftotext', [merged.sent, '-']).toString()
  t.match(text, /Theirs/)
  t.match(text, /Ours/)
})

t.test(
  'an edit that both sides made leaves nothing of the layer: its drawing is that of the version',
  judges,
  async (t) => {
    const edits = [
      setValue('plain', { value: 'x' }),
      setValue('check', { checked: true }),
      setValue('price', { value: '12' }),
    ]
    const { output, conflicts } = await both(t, formPdf(), { theirs: edits, ours: edits })
    t.same(conflicts, [])
    t.same([...output.images.map(({ number }) => number), ...output.kept], [], 'no object differs from the version')
  },
)

t.test('a widget that one side added shows the value that the other side set', judges, async (t) => {
  const add: Op = {
    type: 'forms.addWidget',
    field: named('person.first'),
    placement: { page: numbered(4), rect: { x: 100, y: 300, width: 150, height: 24 } },
  }
  for (const [theirs, ours] of [
    [[add], [setValue('person.first', { value: 'Grace' })]],
    [[setValue('person.first', { value: 'Grace' })], [add]],
  ] as const) {
    const merged = await both(t, formPdf(), { theirs, ours })
    t.same(merged.conflicts, [])
    t.equal(fieldOf(merged, 'person.first').widgets.length, 2)
    const text = judged('pdftotext', ['-f', '2', merged.sent, '-']).toString()
    t.match(text, /Grace/)
    t.ok(merged.output.effects.pages.some(({ page, planes }) => page === 4 && planes.includes('widgets')))
  }
})

t.test('a field that one side removed is gone, also where the other detached its only widget', judges, async (t) => {
  const remove = (name: string): Op => ({ type: 'forms.delete', field: named(name) })
  const detach = (name: string, widget: number): Op => ({
    type: 'forms.removeWidget',
    field: named(name),
    widget: annotation(3, widget),
  })
  for (const [name, number] of [
    ['plain', 10],
    ['person.first', 41],
  ] as const) {
    for (const [theirs, ours] of [
      [remove(name), detach(name, number)],
      [detach(name, number), remove(name)],
    ] as const) {
      const merged = await both(t, formPdf(), { theirs: [theirs], ours: [ours] })
      t.notOk(merged.reads.form().fields.some((field) => field.name === name))
      t.match(merged.conflicts, [{ objectNumber: number, path: null, reason: 'removed' }])
    }
  }
})

t.test(
  'a field whose only widget both sides removed is one field, with what either side changed in it',
  judges,
  async (t) => {
    for (const [name, number] of [
      ['plain', 10],
      ['person.first', 41],
    ] as const) {
      const detach: Op = { type: 'forms.removeWidget', field: named(name), widget: annotation(3, number) }
      const fill = (value: string) => setValue(name, { value })
      for (const { theirs, ours, value, conflicts } of [
        { theirs: [fill('Theirs'), detach], ours: [detach], value: 'Theirs', conflicts: [] },
        { theirs: [detach], ours: [fill('Ours'), detach], value: 'Ours', conflicts: [] },
        { theirs: [detach, fill('Theirs')], ours: [detach, fill('Ours')], value: 'Ours', conflicts: [{ path: '/V' }] },
      ]) {
        const merged = await both(t, formPdf(), { theirs, ours })
        t.equal(merged.reads.form().fields.filter((field) => field.name === name).length, 1)
        t.same(fieldOf(merged, name).widgets, [])
        t.equal(fieldOf(merged, name).value, value)
        t.match(merged.conflicts, conflicts)
        t.equal(merged.conflicts.length, conflicts.length)
      }
    }
  },
)

t.test('one state of a group is on, whatever both sides chose', judges, async (t) => {
  const merged = await both(t, formPdf(), {
    theirs: [setValue('color', { value: 'blue' })],
    ours: [setValue('color', { value: 'green' })],
  })
  t.equal(fieldOf(merged, 'color').value, 'green')
  const states = [51, 52, 53].map((number) =>
    judged('mutool', ['show', merged.sent, `${number}/AS`])
      .toString()
      .trim(),
  )
  t.equal(states.filter((state) => state !== '/Off').length, 1)
  t.match(merged.conflicts, [{ objectNumber: 50, path: '/V', kept: 'layer' }])
})

t.test(
  'a field that one side deleted is gone with the widget that the other side added, and reported',
  judges,
  async (t) => {
    for (const name of ['plain', 'person.last', 'person.first', 'unison']) {
      const remove: Op = { type: 'forms.delete', field: named(name) }
      const add: Op = {
        type: 'forms.addWidget',
        field: named(name),
        placement: { page: numbered(4), rect: { x: 100, y: 300, width: 50, height: 24 } },
      }
      for (const [theirs, ours] of [
        [[remove], [add]],
        [[add], [remove]],
      ] as const) {
        const merged = await both(t, formPdf(), { theirs, ours })
        t.notOk(
          merged.reads.form().fields.some((field) => field.name === name),
          `${name}, removed by ${theirs.length > 0 && theirs[0] === remove ? 'the version' : 'the layer'}`,
        )
        t.ok(merged.conflicts.length > 0, 'reported')
        t.ok(
          merged.conflicts.every(({ reason }) => reason === 'removed'),
          JSON.stringify(merged.conflicts),
        )
      }
    }
  },
)

t.test(
  'widgets that one side removed and the other changed are gone, and their fields consistent',
  judges,
  async (t) => {
    const remove: Op = { type: 'forms.deleteWidget', widget: widgetOn(4, 45) }
    const change: Op = { type: 'forms.updateWidget', widget: widgetOn(4, 45), patch: { color: '#00ff00' } }
    for (const [theirs, ours] of [
      [[remove], [change]],
      [[change], [remove]],
    ] as const) {
      const merged = await both(t, formPdf(), { theirs, ours })
      t.match(merged.conflicts, [{ objectNumber: 45, reason: 'removed' }])
      t.equal(fieldOf(merged, 'person.last').widgets.length, 2)
    }
  },
)

t.test('both sides may create the first form and the first metadata of a file', judges, async (t) => {
  const field = (name: string, x: number): Op => ({
    type: 'forms.create',
    draft: { family: 'text', name, widgets: [{ page: numbered(3), rect: { x, y: 20, width: 80, height: 20 } }] },
  })
  const merged = await both(t, onePage(''), {
    theirs: [field('theirs', 10), { type: 'metadata.update', patch: { title: 'Title', author: 'Theirs' } }],
    ours: [
      field('ours', 110),
      { type: 'metadata.update', patch: { subject: 'Subject', author: 'Ours' } },
      { type: 'metadata.updateCustom', patch: { Project: 'Own' } },
    ],
  })
  t.same(
    merged.reads
      .form()
      .fields.map(({ name }) => name)
      .toSorted(),
    ['ours', 'theirs'],
  )
  t.match(merged.reads.metadata(), { title: 'Title', subject: 'Subject', author: 'Ours' })
  t.match(merged.reads.customMetadata(), { Project: 'Own' })
  t.match(merged.conflicts, [{ path: '/Author', kept: 'layer' }])
  const info = judged('mutool', ['show', merged.sent, 'trailer/Info']).toString()
  t.match(info, /\/Title\(Title\)|\/Title \(Title\)/)
})

t.test('metadata of both sides are in the XMP packet too', judges, async (t) => {
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Before</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>'
  const pdf = onePage('', {
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R>>',
      5: { body: '<</Type/Metadata/Subtype/XML>>', stream: xmp },
    },
  })
  const merged = await both(t, pdf, {
    theirs: [{ type: 'metadata.update', patch: { title: 'Theirs', keywords: 'theirs' } }],
    ours: [{ type: 'metadata.update', patch: { author: 'Ours' } }],
  })
  t.match(merged.reads.metadata(), { title: 'Theirs', keywords: 'theirs', author: 'Ours' })
  const packet = judged('mutool', ['show', '-b', merged.sent, '5']).toString()
  for (const word of ['Theirs', 'theirs', 'Ours']) t.match(packet, new RegExp(`>${word}<`))
})

t.test('both sides that draw into a page draw into it once', judges, async (t) => {
  const pdf = annotatedPdf({
    annotations: [
      '/Subtype/Square/Rect[30 480 90 560]/AP<</N 40 0 R>>',
      '/Subtype/Circle/Rect[100 480 190 560]/AP<</N 40 0 R>>',
    ],
    page: '/Contents 42 0 R',
    further: {
      40: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 100 80]>>', stream: '1 0 0 rg 0 0 100 80 re f' },
      42: { body: '<<>>', stream: '0 0 1 rg 20 30 360 550 re f' },
    },
  })
  const flatten = (number: number): Op => ({
    type: 'annotations.flatten',
    page: pageRef(3),
    refs: [annotation(3, number)],
    usage: 'display',
  })
  const merged = await both(t, pdf, { theirs: [flatten(10)], ours: [flatten(11)] })
  t.same(merged.conflicts, [])
  t.same(subtypesOn(merged, 3), [])
  const picture = judged('mutool', ['draw', '-F', 'trace', merged.sent]).toString()
  t.equal(picture.match(/color="0 0 1"/g)?.length, 1, 'the former content once')
  t.equal(picture.match(/color="1 0 0"/g)?.length, 2, 'both drawings')
})

t.test('page operations of both sides leave the layer behind; those of one side do not', judges, async (t) => {
  const rotate: Op = { type: 'pages.rotate', pages: [pageRef(3)], rotation: 180 }
  const remove: Op = { type: 'pages.delete', pages: [pageRef(4)] }
  const reorder: Op = { type: 'pages.reorder', pages: [pageRef(5)], position: 'start' }
  const layers = layersOf(t, everyPage())
  await layers.theirs.apply(remove)
  await layers.ours.apply(reorder)
  t.same(await mergeOutputOf(t, layers), { state: 'behind', reason: 'pages' })
  const one = await both(t, everyPage(), { theirs: [remove, square(3, 10)], ours: [rotate, square(3, 60)] })
  t.same(
    one.reads.layout().pages.map(({ ref }) => ref.objectNumber),
    [3, 5],
  )
  t.equal(one.reads.layout().pages[0]?.rotation, 180)
  t.equal(subtypesOn(one, 3).length, 2)
  const other = await both(t, everyPage(), { theirs: [rotate, square(3, 10)], ours: [reorder, square(3, 60)] })
  t.same(
    other.reads.layout().pages.map(({ ref }) => ref.objectNumber),
    [5, 3, 4],
  )
  t.equal(subtypesOn(other, 3).length, 2)
})

t.test('a page that one side deleted takes along what the other side put on it, and is reported', judges, async (t) => {
  const remove: Op = { type: 'pages.delete', pages: [pageRef(4)] }
  const put: readonly Op[] = [
    square(4, 10),
    {
      type: 'forms.addWidget',
      field: named('plain'),
      placement: { page: numbered(4), rect: { x: 100, y: 300, width: 50, height: 24 } },
    },
    {
      type: 'forms.create',
      draft: {
        family: 'text',
        name: 'fresh',
        widgets: [{ page: numbered(4), rect: { x: 1, y: 20, width: 80, height: 20 } }],
      },
    },
  ]
  for (const [theirs, ours] of [
    [[remove], put],
    [put, [remove]],
  ] as const) {
    const merged = await both(t, formPdf(), { theirs, ours })
    t.same(merged.reads.layout().pages.length, 1)
    t.ok(merged.conflicts.some(({ objectNumber, reason }) => objectNumber === 4 && reason === 'removed'))
    t.equal(fieldOf(merged, 'plain').widgets.length, 1)
    t.notOk(merged.reads.form().fields.some(({ name }) => name === 'fresh'))
  }
})

t.test('both sides that change the same inline annotation agree on its number and its name', judges, async (t) => {
  const ref = { kind: 'baseIndex', page: pageRef(3), baseIndex: 0 }
  const merged = await both(t, everyAnnotation(), {
    theirs: [{ type: 'annotations.update', ref, patch: { contents: 'Theirs' } }],
    ours: [{ type: 'annotations.update', ref, patch: { strokeWidth: 3 } }, square(3, 10)],
  })
  const [first] = merged.reads.annotations(3).annotations
  t.match(first, { ref, contents: 'Theirs', strokeWidth: 3 })
  t.equal(merged.theirs.promoted[0]?.objectNumber, merged.ours.promoted[0]?.objectNumber)
  t.equal(merged.reads.annotations(3).annotations.length, merged.ours.reads(t).annotations(3).annotations.length)
})

t.test('a merge gives the same result again', judges, async (t) => {
  const layers = layersOf(t, everyField())
  await layers.theirs.apply(setValue('text', { value: 'Bob' }), square(3, 40))
  await layers.ours.apply(
    {
      type: 'forms.addWidget',
      field: named('text'),
      placement: { page: numbered(4), rect: { x: 1, y: 1, width: 50, height: 20 } },
    },
    square(3, 70),
  )
  t.same(await mergeOutputOf(t, layers), await mergeOutputOf(t, layers))
})
