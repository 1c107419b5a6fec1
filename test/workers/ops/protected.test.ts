// Tests that every op and every undo is refused if the signatures of a document forbid it: by the protection class of
// the op's contract, by the fields that are locked, and by the kinds of annotations that a certification excludes.
import t, { type Test } from 'tap'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import { findOpContract } from '../../../workers/contract/ops/index.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import type { FieldLock } from '../../../workers/contract/signatures/field-lock.js'
import type { DocumentProtection, ProtectionLevel } from '../../../workers/contract/signatures/protection.js'
import { type ChangeRequest, layerOf } from '../../support/pdf/changing.js'
import { formPdf, named, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation } from '../../support/pdf/rich-pdf.js'
import { samples } from './samples.js'

const certified = (enforced: ProtectionLevel, ...locks: readonly FieldLock[]): DocumentProtection => ({
  enforced,
  judged: enforced,
  certification: { signatureIndex: 0, permission: 1 },
  fieldLocks: locks.map((spec) => ({ signatureIndex: 0, source: 'fieldmdp', spec })),
  policyVersion: 3,
})

const locked = (...locks: readonly FieldLock[]): DocumentProtection => ({
  ...certified('annotate', ...locks),
  enforced: null,
  certification: null,
})

/** Levels from the lowest up, and the lowest one that permits the class. */
const levels = ['none', 'lta', 'fill', 'annotate'] as const
const lowest = { fill: 2, annotate: 3, content: Number.POSITIVE_INFINITY } as const

async function refusalOf(work: Promise<unknown>): Promise<JobRefusal | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof JobRefusal) return error
    throw error
  }
}

/** An annotation that a certification excludes is refused for itself, at a level that permits annotations. */
const isByKind = (refusal: JobRefusal | undefined): boolean => refusal?.details?.['subtype'] !== undefined

async function refused(t: Test, work: Promise<unknown>, isRefused: boolean, what: string): Promise<void> {
  const refusal = await refusalOf(work)
  if (refusal !== undefined && !isRefused && isByKind(refusal)) return
  t.equal(refusal?.code, isRefused ? 'ProtectedDocument' : undefined, what)
}

const first = new Map(samples.map((sample) => [sample.op.type, sample]))

for (const [type, { pdf, op, before, resources = {} }] of first) {
  const { protection: itsClass = 'content' } = findOpContract(type) ?? {}
  t.test(`${type}, of class ${itsClass}, is refused below the level that permits it, and so is its undo`, async (t) => {
    for (const [rank, level] of levels.entries()) {
      const isRefused = rank < lowest[itsClass]
      const layer = layerOf(t, pdf())
      if (before !== undefined) await layer.change({ ops: before, resources })
      const protection = certified(level)
      await refused(t, layer.change({ ops: [op], resources, protection }), isRefused, `${type} at ${level}`)
    }
    const layer = layerOf(t, pdf())
    if (before !== undefined) await layer.change({ ops: before, resources })
    const { undo } = await layer.change({ ops: [op], resources })
    if (undo === null) return
    for (const [rank, level] of levels.slice(0, 3).entries()) {
      const request = { undo, protection: certified(level) }
      if (rank < lowest[itsClass]) await refused(t, layer.change(request), true, `undo of ${type} at ${level}`)
    }
  })
}

const only = (...fields: readonly string[]): FieldLock => ({ action: 'include', fields: [...fields] })

const onLocked: readonly (readonly [string, FieldLock, NonNullable<ChangeRequest['ops']>[number]])[] = [
  ['its value', only('plain'), { type: 'forms.setValue', field: named('plain'), value: { value: 'x' } }],
  ['the value of a field below it', only('person'), setLast()],
  ['a value, if all fields are locked', { action: 'all', fields: [] }, setLast()],
  ['a value, if all but others are locked', { action: 'exclude', fields: ['plain'] }, setLast()],
  ['its name', only('plain'), { type: 'forms.update', field: named('plain'), patch: { name: 'other' } }],
  ['its existence', only('person.last'), { type: 'forms.delete', field: named('person.last') }],
  ['one of its widgets', only('person.last'), { type: 'forms.deleteWidget', widget: widgetOn(4, 45) }],
  [
    'the look of a widget',
    only('plain'),
    { type: 'forms.updateWidget', widget: widgetOn(3, 10), patch: { color: '#ff0000' } },
  ],
  ['its page', only('person.last'), { type: 'pages.delete', pages: [pageRef(4)] }],
  ['its drawing', only('plain'), { type: 'pages.flatten', pages: [pageRef(3)], usage: 'display' }],
]

function setLast() {
  return { type: 'forms.setValue', field: named('person.last'), value: { value: 'x' } }
}

for (const [what, lock, op] of onLocked) {
  t.test(`a locked field keeps ${what}, also in a document that is not certified`, async (t) => {
    const layer = layerOf(t, formPdf())
    const refusal = await refusalOf(layer.change({ ops: [op], protection: locked(lock) }))
    t.equal(refusal?.code, 'ProtectedDocument')
    t.type(refusal?.details?.['field'], 'string')
  })
}

t.test('a field with a signature is not deleted, alone or with its last widget', async (t) => {
  const pdf = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[6 0 R 8 0 R]>>',
    5: '<</T(all)/Kids[6 0 R 8 0 R]>>',
    6: '<</T(done)/Parent 5 0 R/FT/Sig/V 7 0 R/Type/Annot/Subtype/Widget/Rect[9 9 50 50]/P 3 0 R>>',
    7: '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/ByteRange[0 0 0 0]/Contents<00>>>',
    8: '<</T(open)/Parent 5 0 R/FT/Sig/Type/Annot/Subtype/Widget/Rect[60 9 90 50]/P 3 0 R>>',
  })
  const ops = [
    { type: 'forms.delete', field: named('all.done') },
    { type: 'forms.deleteWidget', widget: widgetOn(3, 6) },
  ] as const
  for (const op of ops) {
    const refusal = await refusalOf(layerOf(t, pdf).change({ ops: [op] }))
    t.match([refusal?.code, refusal?.details], ['ProtectedDocument', { field: 'all.done' }], op.type)
  }
  t.equal(
    await refusalOf(layerOf(t, pdf).change({ ops: [{ type: 'forms.delete', field: named('all.open') }] })),
    undefined,
  )
})

t.test('a field outside every lock can be filled, and so can one beside a locked name', async (t) => {
  for (const lock of [only('plain'), only('person.las'), { action: 'exclude', fields: ['person'] } as const]) {
    const layer = layerOf(t, formPdf())
    await layer.change({ ops: [setLast()], protection: certified('fill', lock as FieldLock) })
    t.ok(layer.images.length > 0)
  }
})

t.test('an annotation whose author has the name of a locked field is no field', async (t) => {
  const layer = layerOf(t, formPdf())
  const data = { subtype: 'square', box: { x: 10, y: 10, width: 20, height: 20 } }
  const { items } = await layer.change({
    ops: [{ type: 'annotations.create', page: pageRef(3), data }],
    author: 'plain',
  })
  const ref = Object(items[0]).annotation.ref
  const op = { type: 'annotations.update', ref, patch: { contents: 'Other' } }
  await layer.change({ ops: [op], author: 'plain', protection: locked(only('plain')) })
  t.match(layer.reads(t).annotations(3).annotations.at(-1), { contents: 'Other', author: 'plain' })
})

t.test('a field that the form does not list is not filled in a certified document', async (t) => {
  const stray = '/Annots[<</Type/Annot/Subtype/Widget/FT/Tx/T(stray)/Rect[10 10 90 30]/DA(/Helv 0 Tf 0 g)>> 5 0 R]'
  const listed = '<</Type/Annot/Subtype/Widget/FT/Tx/T(listed)/Rect[10 40 90 60]/DA(/Helv 0 Tf 0 g)>>'
  const catalog = '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>'
  const pdf = onePage('', { page: stray, further: { 1: catalog, 5: listed } })
  const setValue = (name: string) => ({ type: 'forms.setValue', field: named(name), value: { value: 'x' } })
  for (const level of ['fill', 'annotate'] as const) {
    const layer = layerOf(t, pdf)
    const refusal = await refusalOf(layer.change({ ops: [setValue('stray')], protection: certified(level) }))
    t.equal(refusal?.code, 'ProtectedDocument')
    t.match(refusal?.message, /field "stray", which the form does not list/)
    await layer.change({ ops: [setValue('listed')], protection: certified(level) })
    t.ok(layer.images.length > 0, 'the field beside it is filled')
  }
})

t.test('the undo of a value is refused once its field is locked', async (t) => {
  const layer = layerOf(t, formPdf())
  const { undo } = await layer.apply(setLast())
  await refused(t, layer.change({ undo, protection: locked(only('person')) }), true, 'the undo')
})

t.test('a locked calculated field is not calculated when a field that it depends on is filled', async (t) => {
  const layer = layerOf(t, formPdf())
  const price = { type: 'forms.setValue', field: named('price'), value: { value: '3' } }
  const count = { type: 'forms.setValue', field: named('count'), value: { value: '2' } }
  await layer.change({ ops: [price, count], protection: locked(only('total')) })
  const { fields } = layer.reads(t).form()
  const total = fields.find(({ name }) => name === 'total')
  t.equal(total && 'value' in total ? total.value : undefined, '', 'the total stays')
})

for (const [subtype, isPermitted] of [
  ['free-text', false],
  ['redact', false],
  ['square', true],
  ['highlight', true],
] as const) {
  t.test(
    `a ${subtype} is ${isPermitted ? 'permitted' : 'refused'} where a certification permits annotations`,
    async (t) => {
      const layer = layerOf(t, everyAnnotation())
      const box = { x: 10, y: 10, width: 50, height: 20 }
      const corner = (x: number, y: number) => ({ x, y })
      const quad = {
        upperLeft: corner(10, 10),
        upperRight: corner(60, 10),
        lowerLeft: corner(10, 30),
        lowerRight: corner(60, 30),
      }
      const shape = subtype === 'highlight' ? { quadPoints: [quad] } : subtype === 'redact' ? { rect: box } : { box }
      const op = { type: 'annotations.create', page: numbered(3), data: { subtype, ...shape } }
      const refusal = await refusalOf(layer.change({ ops: [op], protection: certified('annotate') }))
      t.equal(refusal?.code, isPermitted ? undefined : 'ProtectedDocument')
    },
  )
}
