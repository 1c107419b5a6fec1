import t from 'tap'
import type { Annotation } from '../../../workers/contract/annotations/annotation.js'
import { readOnlyMembers, writableNames } from '../../../workers/contract/annotations/writable.js'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import { findOpContract } from '../../../workers/contract/ops/index.js'
import { limits } from '../../../workers/limits.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { type ChangingLayer, layerOf, type Op } from '../../support/pdf/changing.js'
import { strictly } from '../../support/pdf/strictly.js'
import { annotationRef, files, page, quad, type Sample, samples } from './support/drafts.js'

const base = annotatedPdf({})

const create = ({ data, resources }: Sample): Op => ({
  type: 'annotations.create',
  page,
  data,
  ...(resources && { resources }),
})

async function made(layer: ChangingLayer, sample: Sample): Promise<Annotation> {
  const { items } = await layer.change({ ops: [create(sample)], resources: files })
  return Object(items[0]).annotation
}

const annotations = (layer: ChangingLayer): readonly Annotation[] => layer.reads(t).annotations(3).annotations

const refusal = async (attempt: Promise<unknown>): Promise<JobRefusal> => {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof JobRefusal) return error
  throw new Error(`No refusal, but ${String(error)}`)
}

t.test('every writable subtype except popup has a sample', (t) => {
  const known = new Set(Object.values(samples).map(({ data }) => data.subtype))
  t.same(
    writableNames.filter((name) => !known.has(name)),
    ['popup'],
  )
  t.end()
})

for (const [name, sample] of Object.entries(samples)) {
  t.test(`${name}: written members are read back, and a read can be sent back unchanged (shapes 5)`, async (t) => {
    const layer = layerOf(t, base)
    const annotation = await made(layer, sample)
    const { resources: _resources, file, ...data } = { resources: undefined, file: undefined, ...sample.data }
    t.match(annotation, data)
    if (file !== undefined) t.match(Object(annotation).file, file)
    t.equal(annotation.hasAppearance, sample.data.subtype !== 'link')
    t.same([annotation.author, annotation.createdAt], ['Ada', '2026-02-03T04:05:06Z'])
    t.same(annotations(layer), [annotation], 'another copy reads the same')

    const unchanged = await layer.apply({ type: 'annotations.update', ref: annotation.ref, patch: annotation })
    t.same(unchanged.images, [], 'sent back as a patch it changes nothing')
    t.match(unchanged.items, [
      { appearance: { action: 'preserved', changed: false }, meta: { changed: { length: 0 } } },
    ])

    const again = await made(layer, { ...sample, data: { ...annotation, subtype: sample.data.subtype } })
    t.same(without(again), without(annotation), 'sent back as a draft it makes the same')
  })
}

/** Returns all members but the reference, which differs between an annotation and its copy. */
function without({ ref: _ref, ...members }: Annotation): object {
  return members
}

const changes: readonly (readonly [name: string, sample: keyof typeof samples, patch: object])[] = [
  ['colours and lines', 'square', { color: '#0000ff', opacity: 0.25, strokeWidth: 4, interiorColor: null }],
  ['a place, given as the rectangle', 'square', { rect: { x: 50, y: 60, width: 60, height: 30 } }],
  ['a turn', 'square', { rotation: 17.5 }],
  ['a cloud that goes', 'square, cloudy', { cloudyIntensity: null }],
  ['dashes', 'circle', { borderStyle: 'solid', dashArray: null }],
  [
    'vertices',
    'polygon',
    {
      vertices: [
        { x: 1, y: 2 },
        { x: 30, y: 4 },
        { x: 5, y: 60 },
      ],
      measure: null,
    },
  ],
  ['ends of a line', 'line', { linePoints: { start: { x: 1, y: 2 }, end: { x: 30, y: 40 } }, leader: null }],
  ['strokes', 'ink', { inkList: [[{ x: 1, y: 2 }]] }],
  ['quads and the blend mode', 'highlight', { quadPoints: [quad(5, 6, 70, 8)], blendMode: 'darken' }],
  ['fonts', 'free-text', { fontFamily: 'courier', fontSize: 9.5, textAlign: 'right', verticalAlign: 'top' }],
  ['a line to the text', 'free-text, callout', { calloutLine: null, intent: 'free-text' }],
  ['an icon and flags', 'text', { icon: 'help', hidden: true, locked: false, state: null }],
  ['the fit of a stamp', 'stamp', { fit: 'fill', name: null }],
  ['a target', 'link', { target: { kind: 'uri', uri: 'mailto:a@b.example' } }],
  ['a region, given as the rectangle', 'redact', { rect: { x: 50, y: 60, width: 60, height: 30 } }],
  ['an open note', 'text', { open: true }],
  ['the words of a redaction', 'redact', { overlayText: null, repeat: false, fontFamily: 'times-roman', fontSize: 8 }],
]

/** Members that follow from a changed shape. */
const places: readonly string[] = ['rect', 'box', 'quadPoints']

for (const [name, sample, patch] of changes) {
  t.test(
    `${name} of ${sample}: a patch sets members, null clears them, others stay, and undo and redo restore both states`,
    async (t) => {
      const layer = layerOf(t, base)
      const before = await made(layer, samples[sample] ?? { data: { subtype: 'text' } })
      const { items, undo } = await layer.apply({ type: 'annotations.update', ref: before.ref, patch })
      const after = Object(items[0]).annotation
      t.match(after, patch)
      const own = Object.keys(before).filter(
        (key) => !(key in patch) && !readOnlyMembers.has(key) && !places.includes(key),
      )
      const dashes = 'borderStyle' in patch ? ['dashArray'] : []
      // Rich text follows from the fonts.
      const following = [...dashes, 'lineEnding', ...('fontFamily' in patch ? ['richText'] : [])]
      for (const key of own.filter((key) => !following.includes(key))) {
        t.same(Object(after)[key], Object(before)[key], key)
      }
      const undone = await layer.undo(undo)
      t.same(annotations(layer), [before], 'undone')
      await layer.undo(undone.undo)
      t.same(annotations(layer), [after], 'done again')
    },
  )
}

t.test('a popup and its annotation refer to each other', async (t) => {
  const layer = layerOf(t, base)
  const parent = await made(layer, samples['text'] ?? { data: { subtype: 'text' } })
  const data = {
    subtype: 'popup',
    rect: { x: 100, y: 20, width: 90, height: 60 },
    parent: parent.ref,
    open: true,
  } as const
  const popup = await made(layer, { data })
  t.match(popup, data)
  t.match(annotations(layer)[0], { popup: popup.ref })
  t.equal((await refusal(made(layer, { data }))).code, 'InvalidArg', 'an annotation has at most one popup')
})

t.test('values that cannot be written are refused, but accepted if sent back unchanged', async (t) => {
  const odd = '/Subtype/Square/Rect[30 480 130 560]/BS<</S/B/W 2>>'
  const layer = layerOf(t, annotatedPdf({ annotations: [odd] }))
  const ref = annotationRef(10)
  const same = await layer.apply({
    type: 'annotations.update',
    ref,
    patch: { borderStyle: 'beveled', color: '#00ff00' },
  })
  t.match(Object(same.items[0]).annotation, { borderStyle: 'beveled', color: '#00ff00' })
  const other = await refusal(layer.apply({ type: 'annotations.update', ref, patch: { borderStyle: 'inset' } }))
  t.match([other.code, other.details], ['InvalidArg', { member: 'borderStyle', opIndex: 0 }])
})

t.test('long texts are refused, but accepted if sent back unchanged', async (t) => {
  const max = limits.writtenTextCharactersMax
  const long = 'a'.repeat(max + 1)
  const rect = { x: 0, y: 0, width: 9, height: 9 }
  const run = { text: 'a'.repeat(max / 2 + 1) }
  const richText = { body: {}, paragraphs: [{ runs: [run] }, { runs: [run] }] }
  for (const [member, data] of Object.entries({
    contents: { subtype: 'text', rect, contents: long },
    subject: { subtype: 'square', rect, subject: long },
    nm: { subtype: 'square', rect, nm: long },
    author: { subtype: 'square', rect, author: long },
    state: { subtype: 'text', rect, state: long },
    overlayText: { subtype: 'redact', rect, overlayText: long },
    richText: { subtype: 'free-text', rect, richText },
    target: { subtype: 'link', rect, target: { kind: 'uri', uri: `https://${long}` } },
  } as const)) {
    const { code, details } = await refusal(layerOf(t, base).apply(create({ data } as Sample)))
    t.match([code, details], ['InvalidArg', { member }], member)
  }
  const layer = layerOf(t, annotatedPdf({ annotations: [`/Subtype/Text/Rect[30 480 50 500]/Contents(${long})`] }))
  const update = (patch: object): Op => ({ type: 'annotations.update', ref: annotationRef(10), patch })
  const kept = await layer.apply(update({ contents: long, subject: 'a'.repeat(max) }))
  t.match(Object(kept.items[0]).annotation, { contents: long, subject: 'a'.repeat(max) })
  t.equal((await refusal(layer.apply(update({ contents: `${long}b` })))).code, 'InvalidArg')
})

const wrong: readonly (readonly [rule: string, op: Op, code: string])[] = [
  ['quads are needed', create({ data: { subtype: 'highlight' } }), 'InvalidArg'],
  ['a box or a rectangle is needed', create({ data: { subtype: 'circle' } }), 'InvalidArg'],
  ['polygons have three corners', create({ data: { subtype: 'polygon', vertices: [{ x: 1, y: 1 }] } }), 'InvalidArg'],
  ['strokes are not empty', create({ data: { subtype: 'ink', inkList: [[]] } }), 'InvalidArg'],
  [
    'a stamp needs an appearance',
    create({ data: { subtype: 'stamp', rect: { x: 0, y: 0, width: 9, height: 9 } } }),
    'InvalidArg',
  ],
  [
    'a rectangle does not determine a shape rotated by any angle',
    create({ data: { subtype: 'square', rect: { x: 0, y: 0, width: 9, height: 9 }, rotation: 30 } }),
    'InvalidArg',
  ],
  ...[
    'javascript:x',
    ' \u0001JavaScript:x',
    `java${'\t'.repeat(70)}script:x`,
    `da${'\n'.repeat(70)}ta:text/html,x`,
  ].map(
    (uri) =>
      [
        `links cannot run anything (${JSON.stringify(uri).slice(0, 20)})`,
        create({ data: { subtype: 'link', rect: { x: 0, y: 0, width: 9, height: 9 }, target: { kind: 'uri', uri } } }),
        'InvalidArg',
      ] as const,
  ),
  [
    'only file attachments accept a file',
    { ...create(samples['caret'] ?? { data: { subtype: 'caret' } }), resources: { appearance: 'drawing' } },
    'InvalidArg',
  ],
  [
    'coordinates are limited to possible page positions',
    create({ data: { subtype: 'square', rect: { x: 0, y: 1e300, width: 9, height: 9 } } }),
    'InvalidArg',
  ],
  [
    'line widths are limited',
    create({ data: { subtype: 'square', rect: { x: 0, y: 0, width: 9, height: 9 }, strokeWidth: 1e10 } }),
    'InvalidArg',
  ],
  [
    'text cannot contain lone surrogates',
    create({ data: { subtype: 'text', rect: { x: 0, y: 0, width: 9, height: 9 }, contents: 'a \ud83d b' } }),
    'InvalidArg',
  ],
  [
    'dashes must have a length',
    create({ data: { subtype: 'square', rect: { x: 0, y: 0, width: 9, height: 9 }, dashArray: [-1, 2] } }),
    'InvalidArg',
  ],
  [
    'a reply must refer to an annotation of the page',
    create({ data: { subtype: 'text', rect: { x: 0, y: 0, width: 9, height: 9 }, reply: { to: annotationRef(99) } } }),
    'NotFound',
  ],
  [
    'the page must exist',
    {
      ...create({ data: { subtype: 'caret', rect: { x: 0, y: 0, width: 9, height: 9 } } }),
      page: { ...page, objectNumber: 4 },
    },
    'NotFound',
  ],
  [
    'the object number must be reserved',
    { ...create(samples['caret'] ?? { data: { subtype: 'caret' } }), objectNumber: 500 },
    'ObjectNumberUnavailable',
  ],
]

for (const [rule, op, code] of wrong) {
  t.test(`${rule}: another create is refused with ${code}`, async (t) => {
    const layer = layerOf(t, base)
    t.equal((await refusal(layer.apply(op))).code, code)
    t.same(annotations(layer), [])
  })
}

t.test('expect: a change is refused with the names of members that differ', async (t) => {
  const layer = layerOf(t, base)
  const { ref } = await made(layer, samples['square'] ?? { data: { subtype: 'square' } })
  const expect = { color: '#ff0000', strokeWidth: 9, contents: 'no' }
  const { code, details } = await refusal(
    layer.apply({ type: 'annotations.update', ref, patch: { color: '#00ff00' }, expect }),
  )
  t.same([code, details], ['ChangeConflict', { opIndex: 0, fields: ['strokeWidth', 'contents'] }])
  t.same(
    (await refusal(layer.apply({ type: 'annotations.delete', ref, expect: { color: '#123456' } }))).code,
    'ChangeConflict',
  )
  await layer.apply({ type: 'annotations.update', ref, patch: { color: '#00ff00' }, expect: { color: '#ff0000' } })
})

t.test('writes to widgets and read-only subtypes are refused', async (t) => {
  const layer = layerOf(
    t,
    annotatedPdf({ annotations: ['/Subtype/Widget/Rect[0 0 9 9]', '/Subtype/Movie/Rect[0 0 9 9]'] }),
  )
  for (const number of [10, 11]) {
    const op = { type: 'annotations.update', ref: annotationRef(number), patch: { contents: 'x' } }
    t.equal((await refusal(layer.apply(op))).code, 'InvalidArg')
  }
  t.equal((await refusal(layer.apply({ type: 'annotations.delete', ref: annotationRef(10) }))).code, 'InvalidArg')
})

t.test('items match the contract exactly', async (t) => {
  const layer = layerOf(t, base)
  const { ref } = await made(layer, samples['square'] ?? { data: { subtype: 'square' } })
  const { items } = await layer.apply(
    { type: 'annotations.update', ref, patch: { color: '#00ff00' } },
    { type: 'annotations.reorder', page, refs: [ref], position: 'start' },
    { type: 'annotations.delete', ref },
  )
  for (const item of items) {
    const { type, meta, ...members } = Object(item)
    const shape = findOpContract(type)
    const whole = { type, ...members, meta: { ...meta, cacheDelta: null, opId: 'x' } }
    t.ok(shape && strictly(shape.item)().Check(whole), type)
  }
})
