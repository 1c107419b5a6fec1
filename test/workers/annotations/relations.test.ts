import t from 'tap'
import type { AnnotationRef } from '../../../workers/contract/annotation-ref.js'
import type { Annotation } from '../../../workers/contract/annotations/annotation.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { type ChangingLayer, layerOf, type Op } from '../../support/pdf/changing.js'
import { annotationRef, page } from './support/drafts.js'

const rect = { x: 20, y: 20, width: 20, height: 20 }
const note = (more: object = {}): Op => ({ type: 'annotations.create', page, data: { subtype: 'text', rect, ...more } })
const remove = (ref: AnnotationRef): Op => ({ type: 'annotations.delete', ref })

async function made(layer: ChangingLayer, op: Op): Promise<AnnotationRef> {
  const { items } = await layer.apply(op)
  return Object(items[0]).annotation.ref
}

const annotations = (layer: ChangingLayer): readonly Annotation[] => layer.reads(t).annotations(3).annotations
const names = (layer: ChangingLayer): readonly unknown[] => annotations(layer).map(({ contents }) => contents)

/** Three notes, a reply to the second, a reply to that reply, and the popup of the second note. */
async function discussion() {
  const layer = layerOf(t, annotatedPdf({}))
  const [first, second, third] = [
    await made(layer, note({ contents: 'first' })),
    await made(layer, note({ contents: 'second' })),
    await made(layer, note({ contents: 'third' })),
  ]
  const answer = await made(layer, note({ contents: 'answer', reply: { to: second } }))
  const grouped = await made(layer, note({ contents: 'grouped', reply: { to: answer, type: 'group' } }))
  const popup = await made(layer, {
    type: 'annotations.create',
    page,
    data: { subtype: 'popup', rect, parent: second },
  })
  return { layer, first, second, third, answer, grouped, popup }
}

t.test(
  'a delete removes replies, group members and the popup as well, and lists the requested annotation first',
  async (t) => {
    const { layer, second, answer, grouped, popup } = await discussion()
    const before = annotations(layer)
    const { items, undo, images } = await layer.apply(remove(second))
    t.same(Object(items[0]).meta.changed, [second, answer, grouped, popup])
    t.same(names(layer), ['first', 'third'])
    t.ok(
      images.filter(({ isHidden }) => isHidden).length >= 7,
      'annotations and their appearances are hidden from downloads',
    )
    const restored = await layer.undo(undo)
    t.match(restored.items, [{ type: 'annotations.restore', meta: { changed: [second, answer, grouped, popup] } }])
    t.same(annotations(layer), before, 'all is back at its place')
    await layer.undo(restored.undo)
    t.same(names(layer), ['first', 'third'], 'done again')
  },
)

t.test('a delete lists replies first, then group members, then popups, whatever their stacking order', async (t) => {
  const layer = layerOf(t, annotatedPdf({}))
  const whole = await made(layer, note({ contents: 'whole' }))
  const window = (parent: AnnotationRef): Op => ({
    type: 'annotations.create',
    page,
    data: { subtype: 'popup', rect, parent },
  })
  const popup = await made(layer, window(whole))
  const part = await made(layer, note({ contents: 'part', reply: { to: whole, type: 'group' } }))
  const reply = await made(layer, note({ contents: 'reply', reply: { to: whole } }))
  const replyPopup = await made(layer, window(reply))
  const otherPart = await made(layer, note({ contents: 'other part', reply: { to: reply, type: 'group' } }))
  const otherReply = await made(layer, note({ contents: 'other reply', reply: { to: part } }))
  const { items } = await layer.apply(remove(whole))
  t.same(Object(items[0]).meta.changed, [whole, reply, otherReply, part, otherPart, popup, replyPopup])
})

t.test('deleted neighbours are restored to their stacking order, whichever is restored first', async (t) => {
  for (const deleted of [
    [1, 2],
    [2, 1],
    [0, 1, 2],
    [2, 0, 1],
  ]) {
    for (const back of [deleted, deleted.toReversed()]) {
      const layer = layerOf(t, annotatedPdf({}))
      const contents = ['one', 'two', 'three', 'four']
      const refs: AnnotationRef[] = []
      for (const text of contents) refs.push(await made(layer, note({ contents: text })))
      const undo = new Map<number, Awaited<ReturnType<ChangingLayer['apply']>>['undo']>()
      for (const index of deleted) {
        const ref = refs[index]
        if (ref !== undefined) undo.set(index, (await layer.apply(remove(ref))).undo)
      }
      for (const index of back) await layer.undo(undo.get(index) ?? null)
      t.same(names(layer), contents, `deleted ${deleted}, brought back ${back}`)
    }
  }
})

t.test('deleting a popup removes it only, with the reference from its annotation', async (t) => {
  const { layer, second, popup } = await discussion()
  const { items, undo } = await layer.apply(remove(popup))
  t.same(Object(items[0]).meta.changed, [popup])
  t.equal(annotations(layer).find(({ ref }) => Object(ref).objectNumber === Object(second).objectNumber)?.popup, null)
  await layer.undo(undo)
  t.match(annotations(layer)[1], { popup })
})

t.test(
  'a restored reply has no parent while that is deleted, and is reported again when the parent is restored',
  async (t) => {
    const { layer, second, answer } = await discussion()
    const { undo } = await layer.apply(remove(answer))
    const { undo: undoSecond } = await layer.apply(remove(second))
    const { items } = await layer.undo(undo)
    t.match(Object(items[0]).annotations, [
      { contents: 'answer', reply: null },
      { contents: 'grouped', reply: { to: answer } },
    ])
    const { items: restored } = await layer.undo(undoSecond)
    const reported: readonly { readonly ref: unknown; readonly reply: unknown }[] = Object(restored[0]).annotations
    t.match(
      reported.find(({ ref }) => Object(ref).objectNumber === Object(answer).objectNumber),
      { contents: 'answer', reply: { to: second } },
    )
  },
)

t.test('undo of a create deletes the annotation, unless it has replies by now', async (t) => {
  const layer = layerOf(t, annotatedPdf({}))
  const { items, undo } = await layer.apply(note({ contents: 'one' }))
  const undone = await layer.undo(undo)
  t.match(undone.items, [{ type: 'annotations.delete' }])
  t.same(names(layer), [])
  const redone = await layer.undo(undone.undo)
  t.match(redone.items, [{ type: 'annotations.restore' }])
  t.same(names(layer), ['one'])
  await layer.apply(note({ contents: 'reply', reply: { to: Object(items[0]).annotation.ref } }))
  const left = await layer.undo(undo)
  const ref = Object(items[0]).annotation.ref
  t.match(left.items, [
    { type: 'skipped', op: 'annotations.delete', reason: 'answered', ref, meta: { affectedPages: { length: 0 } } },
  ])
  t.same(left.images, [])
  t.same(names(layer), ['one', 'reply'])
})

t.test('undo of a create keeps an annotation that was changed since, until that change is undone too', async (t) => {
  const layer = layerOf(t, annotatedPdf({}))
  const odd = { subtype: 'square', rect: { x: 10.1234567, y: 1 / 3, width: 20.7, height: 33.33333 }, strokeWidth: 0.1 }
  const { items, undo } = await layer.apply({ ...note({}), data: { ...odd, opacity: 0.3333 } })
  const { ref } = Object(items[0]).annotation
  const filled = await layer.apply({ type: 'annotations.update', ref, patch: { contents: 'by somebody else' } })
  const left = await layer.undo(undo)
  t.match(left.items, [{ type: 'skipped', op: 'annotations.delete', reason: 'changed', ref }])
  t.same(left.images, [])
  await layer.undo(filled.undo)
  t.match((await layer.undo(undo)).items, [{ type: 'annotations.delete' }])
  t.match((await layer.undo(undo)).items, [{ type: 'skipped', reason: 'gone', ref }])
})

t.test('undo of an update skips members that were changed since, and names them', async (t) => {
  const layer = layerOf(t, annotatedPdf({}))
  const ref = await made(layer, note({ contents: 'a', color: '#ff0000' }))
  const { undo } = await layer.apply({ type: 'annotations.update', ref, patch: { contents: 'b', color: '#00ff00' } })
  await layer.apply({ type: 'annotations.update', ref, patch: { contents: 'c' } })
  const { items } = await layer.undo(undo)
  t.match(items, [
    { type: 'annotations.update', annotation: { contents: 'c', color: '#ff0000' }, skipped: ['contents'] },
  ])
  await layer.apply(remove(ref))
  t.match((await layer.undo(undo)).items, [{ type: 'skipped', op: 'annotations.update' }])
})

t.test('changes are undone in any order', async (t) => {
  const layer = layerOf(t, annotatedPdf({}))
  const undos = []
  for (const contents of ['a', 'b', 'c']) undos.push((await layer.apply(note({ contents }))).undo)
  for (const [index, left] of [
    [1, ['a', 'c']],
    [0, ['c']],
    [2, []],
  ] as const) {
    await layer.undo(undos[index] ?? null)
    t.same(names(layer), left)
  }
})

t.test(
  'annotations can be moved to either end, before or after another; undo moves back those that still exist',
  async (t) => {
    const layer = layerOf(t, annotatedPdf({}))
    const refs: AnnotationRef[] = []
    for (const contents of ['a', 'b', 'c', 'd']) refs.push(await made(layer, note({ contents })))
    const [a, b, c, d] = refs
    const move = (moved: readonly unknown[], position: unknown) =>
      layer.apply({ type: 'annotations.reorder', page, refs: moved, position })
    await move([a, b], 'end')
    t.same(names(layer), ['c', 'd', 'a', 'b'])
    await move([b], 'start')
    t.same(names(layer), ['b', 'c', 'd', 'a'])
    await move([a, b], { before: d })
    t.same(names(layer), ['c', 'a', 'b', 'd'])
    const { items, undo } = await move([d], { after: c })
    t.match(Object(items[0]).order, [c, d, a, b])
    await layer.apply(remove(a ?? annotationRef(1)), note({ contents: 'new' }))
    t.same(names(layer), ['c', 'd', 'b', 'new'])
    const undone = await layer.undo(undo)
    t.same(names(layer), ['c', 'b', 'd', 'new'])
    await layer.undo(undone.undo)
    t.same(names(layer), ['c', 'd', 'b', 'new'])
    await t.rejects(move([b, b], 'end'), { code: 'InvalidArg' })
    await t.rejects(move([b], { after: b }), { code: 'InvalidArg' })
    await t.rejects(move([a], 'end'), { code: 'NotFound' })
  },
)

const inline =
  '<</Type/Annot/Subtype/Text/Rect[30 480 50 500]/Contents(in)>> <</Type/Annot/Subtype/Square/Rect[60 480 90 500]>>'
const baseRef = (baseIndex: number): AnnotationRef => ({ kind: 'baseIndex', page, baseIndex })

t.test('inline annotations become objects at the first write on their page, and keep their refs', async (t) => {
  const layer = layerOf(t, annotatedPdf({ inline, annotations: ['/Subtype/Text/Rect[1 1 9 9]/Contents(out)'] }))
  const update = { type: 'annotations.update', ref: baseRef(1), patch: { contents: 'kept', color: '#00ff00' } }
  const { items, promoted, undo } = await layer.apply(update)
  t.match(items, [{ annotation: { ref: baseRef(1), contents: 'kept' }, meta: { changed: [baseRef(1)] } }])
  t.match(promoted, [
    { page: 3, baseIndex: 0 },
    { page: 3, baseIndex: 1 },
  ])
  layer.cold()
  const read = annotations(layer)
  t.same(
    read.map(({ ref }) => ref),
    [baseRef(0), baseRef(1), annotationRef(10)],
  )
  t.match(read[1], { contents: 'kept', color: '#00ff00', hasAppearance: true })
  await layer.undo(undo)
  t.match(annotations(layer)[1], { contents: null, color: '#000000' })
  const again = await layer.apply(remove(baseRef(0)), note({ reply: { to: baseRef(1) } }))
  t.same(again.promoted, [])
  t.same(names(layer), [null, 'out', null])
  t.match(annotations(layer)[2], { reply: { to: baseRef(1) } })
})

t.test('undo restores an appearance of another program that was replaced', async (t) => {
  const drawing = { body: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]>>', stream: '0 0 9 9 re f' }
  const pdf = annotatedPdf({
    annotations: ['/Subtype/Square/Rect[30 480 130 560]/BE<</S/C/I 1>>/AP<</N 20 0 R>>'],
    further: { 20: drawing },
  })
  const layer = layerOf(t, pdf)
  const ref = annotationRef(10)
  const retained = await layer.apply({ type: 'annotations.update', ref, patch: { contents: 'x' } })
  t.match(retained.items, [{ appearance: { action: 'preserved', changed: false } }])
  const drawn = await layer.apply({ type: 'annotations.update', ref, patch: { color: '#00ff00' } })
  t.match(drawn.items, [{ appearance: { action: 'regenerated', changed: true } }])
  const { items } = await layer.undo(drawn.undo)
  t.match(items, [{ appearance: { action: 'restored', changed: true } }])
  t.match(annotations(layer), [{ rect: { x: 10, y: 20, width: 100, height: 80 } }], 'where it lay')
  t.equal(await layer.open(({ pdf }) => pdf.newIndirect(10).get('AP', 'N').asIndirect()), 20)
})

t.test('undo leaves an annotation that had no appearance without one, in its former position', async (t) => {
  const layer = layerOf(t, annotatedPdf({ annotations: ['/Subtype/Circle/Rect[30 480 130 560]/BE<</S/C/I 1>>'] }))
  const before = annotations(layer)
  const drawn = await layer.apply({ type: 'annotations.update', ref: annotationRef(10), patch: { color: '#00ff00' } })
  t.match(annotations(layer), [{ hasAppearance: true }])
  const undone = await layer.undo(drawn.undo)
  t.match(annotations(layer), [{ hasAppearance: false, rect: { x: 10, y: 20, width: 100, height: 80 } }])
  t.same(
    annotations(layer).map((one) => ({ ...one, modifiedAt: null })),
    before,
  )
  await layer.undo(undone.undo)
  t.match(annotations(layer), [{ hasAppearance: true, color: '#00ff00' }])
})

const twice: Readonly<Record<string, readonly [entries: string, first: object, second: object]>> = {
  'without a drawing': ['/Subtype/Circle/BE<</S/C/I 1>>', { color: '#00ff00' }, { opacity: 0.5 }],
  'without a drawing, and more entries': [
    '/Subtype/Ink/InkList[[30 480 60 500]]',
    { strokeWidth: 3 },
    { opacity: 0.5 },
  ],
  'drawn by others': ['/Subtype/Square/C[1]/AP<</N 20 0 R>>', { color: '#00ff00' }, { opacity: 0.5 }],
  'a stamp': ['/Subtype/Stamp/AP<</N 20 0 R>>', { rotation: 90 }, { blendMode: 'multiply' }],
}

for (const [name, [entries, ...patches]] of Object.entries(twice)) {
  t.test(`${name}: once both changes are undone, in either order, the former appearance is restored`, async (t) => {
    const drawing = { body: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]>>', stream: '0 0 9 9 re f' }
    for (const isFirstTakenBackFirst of [true, false]) {
      const dictionary = `${entries}/Rect[30 480 130 560]`
      const layer = layerOf(t, annotatedPdf({ annotations: [dictionary], further: { 20: drawing } }))
      const ofFile = async () => await layer.open(({ pdf }) => pdf.newIndirect(10).resolve().toString(true))
      const [before, dictionaryBefore] = [annotations(layer), await ofFile()]
      const made = []
      for (const patch of patches)
        made.push(await layer.apply({ type: 'annotations.update', ref: annotationRef(10), patch }))
      const [one, other] = isFirstTakenBackFirst ? made : made.toReversed()
      const taken = await layer.undo(one?.undo ?? null)
      t.match(taken.items, [{ appearance: { action: 'regenerated' } }], 'what is left of the other is drawn')
      t.match(annotations(layer), [{ hasAppearance: true }])
      layer.cold()
      const last = await layer.undo(other?.undo ?? null)
      t.match(last.items, [{ appearance: { action: 'restored' } }])
      const now = annotations(layer)
      t.same(now, [{ ...before[0], modifiedAt: now[0]?.modifiedAt }])
      t.equal((await ofFile()).replace(/\/M\([^)]*\)/, ''), dictionaryBefore, 'same dictionary entries')
      await layer.undo(last.undo)
      await layer.undo(taken.undo)
      t.match(annotations(layer), [Object.assign({ hasAppearance: true }, ...patches)])
    }
  })
}

t.test('an object of a file that imitates stored undo data has no effect', async (t) => {
  const rect = '/Rect[30 480 130 560]'
  const fakes = ['(look 10)/Seen({)/Was<</C[1]>>', '(places 3)/Places(x 0 10 0)']
  const annotations = [`/Subtype/Circle${rect}`, ...fakes.map((fake) => `/Subtype/Square${rect}/STWD_Note${fake}`)]
  const layer = layerOf(t, annotatedPdf({ annotations }))
  const first = await layer.apply(remove(annotationRef(11)))
  await layer.apply(remove(annotationRef(12)))
  layer.cold()
  const drawn = await layer.apply({ type: 'annotations.update', ref: annotationRef(10), patch: { color: '#00ff00' } })
  t.match(await layer.undo(drawn.undo), { items: [{ type: 'annotations.update' }] })
  t.match(await layer.undo(first.undo), { items: [{ type: 'annotations.restore' }] })
})
