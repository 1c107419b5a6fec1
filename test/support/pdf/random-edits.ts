// Random edits that can be undone, for property tests over any sequence of them: annotations of every kind that needs no
// file, form values and structure, metadata. An edit is generated without knowledge of the document; `opOf` turns it into
// an op on what the layer lists at that time.
import fc from 'fast-check'
import { samples } from '../../workers/annotations/support/drafts.js'
import type { Op } from './changing.js'

const drafts = Object.values(samples).flatMap(({ data, resources }) => (resources === undefined ? [data] : []))
const colour = fc.nat({ max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const which = fc.nat()
const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 })

const patch = fc.oneof(
  fc.record({ color: colour }),
  fc.record({ contents: text, opacity: fc.constantFrom(0.25, 0.5, 1) }),
  fc.record({ strokeWidth: fc.integer({ min: 1, max: 6 }), color: colour }),
  fc.record({ rect: fc.record({ x: fc.nat(100), y: fc.nat(100), width: fc.constant(50), height: fc.constant(40) }) }),
)

const edits = {
  create: fc.record({ do: fc.constant('create' as const), data: fc.constantFrom(...drafts), which }),
  update: fc.record({ do: fc.constant('update' as const), which, patch }),
  delete: fc.record({ do: fc.constant('delete' as const), which }),
  reorder: fc.record({ do: fc.constant('reorder' as const), which, position: fc.constantFrom('start', 'end') }),
  fill: fc.record({ do: fc.constant('fill' as const), which, text, isOn: fc.boolean() }),
  unform: fc.record({
    do: fc.constant('unform' as const),
    how: fc.constantFrom('forms.deleteWidget', 'forms.removeWidget', 'forms.delete', 'forms.addWidget'),
    which,
    widget: fc.nat(),
  }),
  title: fc.record({ do: fc.constant('title' as const), text }),
  custom: fc.record({ do: fc.constant('custom' as const), key: fc.constantFrom('a', 'b', 'Project'), text }),
}

export const edit = fc.oneof(
  { weight: 5, arbitrary: edits.create },
  { weight: 5, arbitrary: edits.update },
  { weight: 3, arbitrary: edits.delete },
  { weight: 1, arbitrary: edits.reorder },
  { weight: 4, arbitrary: edits.fill },
  { weight: 3, arbitrary: edits.unform },
  { weight: 1, arbitrary: edits.title },
  { weight: 1, arbitrary: edits.custom },
)
/** Edits that add and remove widgets and fields. */
export const unform = edits.unform
export type Edit = typeof edit extends fc.Arbitrary<infer Made> ? Made : never

/** Current lists of a layer. */
export interface Listed {
  readonly pages: readonly object[]
  readonly annotations: readonly { readonly ref: { readonly page: object }; readonly subtype: string }[]
  readonly fields: readonly {
    readonly ref: object
    readonly family: string
    readonly widgets: readonly { readonly ref: object | null }[]
  }[]
}

/** Undefined = there is nothing to do it to. `mark` is in what is written, so that no two edits write the same. */
export function opOf(edit: Edit, { pages, annotations, fields }: Listed, mark: string): Op | undefined {
  const { do: verb } = edit
  if (verb === 'title') return { type: 'metadata.update', patch: { title: `${edit.text} ${mark}` } }
  if (verb === 'custom') return { type: 'metadata.updateCustom', patch: { [edit.key]: `${edit.text} ${mark}` } }
  if (verb === 'fill') {
    const field = picked(
      fields.filter(({ family }) => family === 'text' || family === 'checkbox'),
      edit.which,
    )
    const value = field?.family === 'text' ? { value: `${mark} ${edit.text}` } : { checked: edit.isOn }
    return field && { type: 'forms.setValue', field: field.ref, value }
  }
  if (verb === 'unform') {
    const field = picked(fields, edit.which)
    if (field === undefined || edit.how === 'forms.delete') return field && { type: edit.how, field: field.ref }
    if (edit.how === 'forms.addWidget') {
      const rect = { x: 10 + (edit.widget % 100), y: 10, width: 40, height: 20 }
      return { type: edit.how, field: field.ref, placement: { page: picked(pages, edit.widget), rect } }
    }
    const widget = picked(field.widgets, edit.widget)?.ref
    return widget == null ? undefined : { type: edit.how, field: field.ref, widget }
  }
  if (verb === 'create') {
    return { type: 'annotations.create', page: picked(pages, edit.which), data: edit.data }
  }
  const ref = picked(
    annotations.filter(({ subtype }) => subtype !== 'widget'),
    edit.which,
  )?.ref
  if (ref === undefined) return undefined
  if (verb === 'delete') return { type: 'annotations.delete', ref }
  if (verb === 'reorder') return { type: 'annotations.reorder', page: ref.page, refs: [ref], position: edit.position }
  const patch = 'contents' in edit.patch ? { ...edit.patch, contents: `${edit.patch.contents} ${mark}` } : edit.patch
  return { type: 'annotations.update', ref, patch }
}

const picked = <Item>(items: readonly Item[], which: number): Item | undefined =>
  items[which % Math.max(1, items.length)]
