// Items as they are answered: what only the commit knows, and whose the annotations and fields in them are.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import { FormFieldRef } from '../../workers/contract/form-field-ref.js'
import { Nullable } from '../../workers/contract/nullable.js'
import type { CacheDelta } from '../../workers/contract/ops/mutation-meta.js'
import type { AuthorshipRow } from '../rows/authorship.js'
import { annotationNumber, attributedAnnotation, attributedField, fieldNumber, type Promoted } from './attribution.js'
import type { Item } from './words.js'

export interface Completing {
  readonly opId: string
  readonly cacheDelta: CacheDelta | null
  readonly promoted: Promoted
  /** As it is after the change. */
  readonly authorOf: (number: number) => Promise<AuthorshipRow | undefined>
}

const open = { additionalProperties: true } as const
const when = Nullable(Type.String())
const Annotation = Type.Object({ ref: AnnotationRef, createdAt: when, modifiedAt: when }, open)
const Field = Type.Object({ ref: FormFieldRef, createdAt: when, filledAt: when }, open)
const annotationValidator = Compile(Annotation)
const fieldValidator = Compile(Field)

/** Members of items that hold annotations or fields, one or several. */
const places = ['annotation', 'annotations', 'widget', 'widgets', 'field', 'fields'] as const

export async function completedItem(item: Item, completing: Completing): Promise<Item> {
  const { opId, cacheDelta } = completing
  const attributed: Record<string, unknown> = {}
  for (const place of places) {
    if (place in item) attributed[place] = await attributedOf(item[place], completing)
  }
  return { ...item, ...attributed, meta: { ...Object(item.meta), cacheDelta, opId } }
}

async function attributedOf(value: unknown, completing: Completing): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => attributedOf(one, completing)))
  if (annotationValidator.Check(value)) return attributedAnnotation(value, await authorOfAnnotation(value, completing))
  if (fieldValidator.Check(value)) {
    const number = fieldNumber(value.ref)
    return attributedField(value, number === undefined ? undefined : await completing.authorOf(number))
  }
  return value
}

async function authorOfAnnotation({ ref }: Static<typeof Annotation>, { promoted, authorOf }: Completing) {
  const number = annotationNumber(ref, promoted)
  return number === undefined ? undefined : authorOf(number)
}
