// Many ops in one change: the cost of each op does not depend on their number, and results are the same as in changes of
// one op each. So cached facts about pages and forms never differ from reading the document again.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { raw } from '../../../workers/engine/library.js'
import { type ChangingLayer, layerOf, type Op } from '../../support/pdf/changing.js'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { edit, opOf } from '../../support/pdf/random-edits.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation, everyField } from '../../support/pdf/rich-pdf.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

const page = pageRef(3)
const numbered = (objectNumber: number) => ({ kind: 'objectNumber', objectNumber })
const onPage = (objectNumber: number) => ({ ...numbered(objectNumber), page })
const firstNumber = 10

/** Makes a page with this many notes, each with a popup, and as many text fields. */
function fullPage(count: number): Buffer {
  const rect = '/Rect[20 20 60 40]'
  const all = Array.from({ length: count }, (_, index) => index)
  const note = (index: number) => firstNumber + 3 * index
  const objects = all.flatMap((index): [number, string][] => [
    [note(index), `<</Type/Annot/Subtype/Text${rect}/Contents(Note)/Popup ${note(index) + 1} 0 R>>`],
    [note(index) + 1, `<</Type/Annot/Subtype/Popup${rect}/Parent ${note(index)} 0 R>>`],
    [note(index) + 2, `<</Type/Annot/Subtype/Widget${rect}/FT/Tx/T(field ${index})/DA(/Helv 9 Tf 0 g)>>`],
  ])
  const references = (numbers: readonly number[]) => numbers.map((number) => `${number} 0 R`).join(' ')
  return rawPdf({
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${references(all.map((index) => note(index) + 2))}]>>>>`,
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[${references(objects.map(([number]) => number))}]>>`,
    ...Object.fromEntries(objects),
  })
}

/** Calls that are not counted: moving the elements behind an insertion is not a read. */
const moves = new Set(['_wasm_pdf_array_get', '_wasm_pdf_array_put'])

/** Counts calls of the engine while `work` runs. */
async function callsOf(work: () => Promise<unknown>): Promise<number> {
  const original = { ...raw }
  let calls = 0
  for (const [name, call] of Object.entries(original)) {
    if (typeof call !== 'function' || !name.startsWith('_wasm_pdf') || moves.has(name)) continue
    const counted = (...args: unknown[]): unknown => {
      calls++
      return Reflect.apply(call, undefined, args)
    }
    Reflect.set(raw, name, counted)
  }
  try {
    await work()
  } finally {
    Object.assign(raw, original)
  }
  return calls
}

const rect = { x: 20, y: 20, width: 60, height: 30 }
const ops: Readonly<Record<string, (index: number) => Op>> = {
  'annotations.create': () => ({ type: 'annotations.create', page, data: { subtype: 'square', rect } }),
  'annotations.create, a reply': (index) => ({
    type: 'annotations.create',
    page,
    data: { subtype: 'text', rect, reply: { to: onPage(firstNumber + 3 * index) } },
  }),
  'annotations.update': (index) => ({
    type: 'annotations.update',
    ref: onPage(firstNumber + 3 * index),
    patch: { color: '#00ff00', contents: `Now ${index}` },
  }),
  'annotations.delete': (index) => ({ type: 'annotations.delete', ref: onPage(firstNumber + 3 * index) }),
  'forms.setValue': (index) => ({
    type: 'forms.setValue',
    field: numbered(firstNumber + 3 * index + 2),
    value: { value: `Now ${index}` },
  }),
  'forms.updateWidget': (index) => ({
    type: 'forms.updateWidget',
    widget: onPage(firstNumber + 3 * index + 2),
    patch: { color: '#ff0000' },
  }),
  'forms.setDisplay': (index) => ({
    type: 'forms.setDisplay',
    field: numbered(firstNumber + 3 * index + 2),
    display: 'hidden',
  }),
}
const [few, many] = [20, 60]

for (const [name, opOf] of Object.entries(ops)) {
  t.test(`${name}: engine calls per op do not grow with the number of ops, nor do those of its undo`, async (t) => {
    const costsOf = async (count: number) => {
      const layer = layerOf(t, fullPage(count))
      const changes: { undo: Awaited<ReturnType<ChangingLayer['apply']>>['undo'] } = { undo: null }
      const applied = await callsOf(async () => {
        changes.undo = (await layer.apply(...Array.from({ length: count }, (_, index) => opOf(index)))).undo
      })
      const undone = await callsOf(() => layer.undo(changes.undo))
      return { applied: applied / count, undone: undone / count }
    }
    const [cheap, dear] = [await costsOf(few), await costsOf(many)]
    t.ok(dear.applied < 1.25 * cheap.applied, `${cheap.applied} calls for each of ${few}, ${dear.applied} of ${many}`)
    t.ok(dear.undone < 1.25 * cheap.undone, `${cheap.undone} to undo each of ${few}, ${dear.undone} of ${many}`)
  })
}

const which = fc.nat()
const name = fc.constantFrom('new', 'person.new', 'other', 'a.b.c')
/** Edits that relate annotations to each other, and create and delete fields. */
const structural = fc.oneof(
  fc.record({ do: fc.constantFrom('reply', 'popup', 'remove field', 'remove widget', 'colour widget', 'turn'), which }),
  fc.record({ do: fc.constantFrom('add field', 'rename'), which, name }),
)
const script = fc.record({
  base: fc.constantFrom('everyAnnotation', 'everyField', 'formPdf'),
  edits: fc.array(fc.oneof(edit, structural), { minLength: 8, maxLength: isLong ? 32 : 16, size: 'max' }),
})
const bases = { everyAnnotation, everyField, formPdf }
type Script = typeof script extends fc.Arbitrary<infer Made> ? Made : never

function opFor(t: Test, layer: ChangingLayer, edit: Script['edits'][number], mark: string): Op | undefined {
  const reads = layer.reads(t)
  const pages = reads.layout().pages.map(({ ref }) => ref)
  const { annotations } = reads.annotations()
  const { fields, widgets } = reads.form()
  const picked = <Item>(items: readonly Item[]): Item | undefined =>
    items[('which' in edit ? edit.which : 0) % Math.max(1, items.length)]
  const ref = picked(annotations.filter(({ subtype }) => subtype !== 'widget' && subtype !== 'popup'))?.ref
  const field = picked(fields)?.ref
  const widget = picked(widgets)?.ref
  const create = (data: object) => ref && { type: 'annotations.create', page: ref.page, data: { rect, ...data } }
  switch (edit.do) {
    case 'reply':
      return create({ subtype: 'text', reply: { to: ref } })
    case 'popup':
      return create({ subtype: 'popup', parent: ref })
    case 'remove field':
      return field && { type: 'forms.delete', field }
    case 'remove widget':
      return widget && { type: 'forms.deleteWidget', widget }
    case 'colour widget':
      return widget && { type: 'forms.updateWidget', widget, patch: { color: '#ff0000' } }
    case 'turn':
      return widget && { type: 'forms.reorderWidgets', page: widget.page, widgets: [widget], position: 'start' }
    case 'add field': {
      const draft = { family: 'text', name: edit.name, widgets: [{ page: picked(pages), rect }] }
      return { type: 'forms.create', draft }
    }
    case 'rename':
      return field && { type: 'forms.update', field, patch: { name: edit.name } }
    default:
      return opOf(edit, { pages, annotations, fields }, mark)
  }
}

let [attempted, applied] = [0, 0]

for (const { base, edits } of fc.sample(script, { seed, numRuns: isLong ? 300 : 5 })) {
  t.test(`${base}, ${edits.length} ops in one change: the same result as one change per op`, async (t) => {
    const single = layerOf(t, bases[base]())
    const made: { readonly op: Op; readonly item: object | undefined; readonly undo: readonly object[] }[] = []
    for (const [index, edit] of edits.entries()) {
      const op = opFor(t, single, edit, `#${index}`)
      try {
        const changed = op && (await single.apply(op))
        if (op && changed) made.push({ op, item: changed.items[0], undo: changed.undo ?? [] })
      } catch (error) {
        if (!(error instanceof JobRefusal)) throw error
      }
    }
    const whole = layerOf(t, bases[base]())
    const { items, undo } = await whole.apply(...made.map(({ op }) => op))
    attempted += edits.length
    applied += made.length
    t.same(
      items,
      made.map(({ item }) => item),
    )
    t.same(
      undo,
      made.toReversed().flatMap((one) => one.undo),
    )
    const reads = [single, whole].map((layer) => layer.reads(t))
    const [one, other] = reads.map((all) => [all.annotations(), all.form(), all.metadata(), all.customMetadata()])
    t.same(other, one)
  })
}

t.test('enough of the random edits were applied', async (t) => {
  t.ok(applied > attempted / 3, `${applied} of ${attempted} edits were applied`)
})
