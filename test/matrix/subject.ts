// Current state of a layer according to its reads, from which ops are made.
import type { Answer } from '../server/support/client.js'
import type { Box } from './boxes.js'
import type { LayerClient } from './layer.js'

export interface Ref {
  readonly kind: string
  readonly objectNumber?: number
  readonly name?: string
  readonly page?: Ref
}

export interface PageFacts {
  readonly ref: Ref & { readonly objectNumber: number }
  readonly size: { readonly width: number; readonly height: number }
  readonly rotation: number
  readonly userUnit: number
}

export interface AnnotationFacts {
  readonly ref: Ref & { readonly page: Ref & { readonly objectNumber: number } }
  readonly subtype: string
  readonly rect: Box
  readonly hasAppearance: boolean
  readonly hidden: boolean
  readonly noView: boolean
  readonly field?: Ref | null
  readonly readOnly: boolean
  readonly locked: boolean
}

export interface FieldFacts {
  readonly ref: Ref
  readonly name: string
  readonly family: string
  readonly value?: string
  readonly checked?: boolean
  readonly readOnly: boolean
  readonly maxLength?: number | null
  readonly comb?: boolean
  readonly password?: boolean
  readonly options?: readonly { readonly label: string; readonly value: string; readonly selected: boolean }[]
  readonly widgets: readonly { readonly ref: Ref | null; readonly page: Ref | null; readonly exportValue?: string }[]
  readonly actions?: object
}

export interface Subject {
  readonly pages: readonly PageFacts[]
  /** Annotations, including widgets. */
  readonly annotations: readonly AnnotationFacts[]
  readonly fields: readonly FieldFacts[]
  readonly needsAppearances: boolean
  readonly calculationOrder: readonly (Ref | null)[]
  readonly namedPages: readonly string[]
  readonly title: unknown
  readonly custom: unknown
}

/** Reads everything listed in a layer. `unread` describes the first read that failed. */
export async function subjectOf(layer: LayerClient): Promise<Subject | { readonly unread: string }> {
  const paths = ['layout', 'annotations/items', 'form', 'metadata', 'metadata/custom']
  const answers = await Promise.all(paths.map((path) => layer.get(path)))
  const failed = answers.findIndex(({ status }) => status !== 200)
  if (failed >= 0) return { unread: `${paths[failed]}: ${answers[failed]?.status} ${answers[failed]?.code}` }
  const [layout, annotations, form, metadata, custom] = answers.map((answer: Answer) => Object(answer.json()))
  return {
    pages: layout.pages,
    annotations: annotations.annotations,
    fields: form.fields.map(withoutNumbers),
    needsAppearances: form.needsAppearances,
    calculationOrder: form.calculationOrder,
    namedPages: layout.namedPages.map(({ name }: { readonly name: string }) => name),
    title: metadata.title,
    custom,
  }
}

/** Removes object numbers of inline widgets: they get one with the first edit of their page, while their refs stay. */
const withoutNumbers = (field: FieldFacts): FieldFacts => ({
  ...field,
  widgets: field.widgets.map((widget) => (isInline(widget) ? { ...widget, objectNumber: undefined } : widget)),
})

export const isInline = ({ ref }: { readonly ref: Ref | null }): boolean => ref?.kind === 'baseIndex'

export const annotationsOn = ({ annotations }: Subject, page: PageFacts): readonly AnnotationFacts[] =>
  annotations.filter(({ ref }) => ref.page.objectNumber === page.ref.objectNumber)

export const sameRef = (one: Ref | null | undefined, other: Ref | null | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Returns the widgets of a field with their boxes. */
export const widgetsOf = ({ annotations }: Subject, { widgets }: FieldFacts): readonly AnnotationFacts[] =>
  annotations.filter(({ ref }) => widgets.some((widget) => sameRef(widget.ref, ref)))
