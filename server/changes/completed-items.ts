// Completes the items of a response with the members that are known only at the commit, and with authorship.

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { UnfinishedItem } from '../../workers/change/unfinished-item.js'
import { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import { FormFieldRef } from '../../workers/contract/form-field-ref.js'
import type { CacheDelta } from '../../workers/contract/mutation-meta.js'
import { Nullable } from '../../workers/contract/nullable.js'
import type { Item } from '../../workers/contract/ops/index.js'
import { type ItemKind, itemMembersOf } from '../../workers/contract/ops/item-members.js'
import { annotationNumber, attributedAnnotation, attributedField, fieldNumber } from '../layers/attribution.js'
import type { AuthorshipRow } from '../rows/authorship.js'
import type { PromotedAnnotations } from '../rows/version.js'

export interface ItemContext {
  readonly opId: string
  readonly cacheDelta: CacheDelta | null
  readonly usageRightsRemoved: boolean
  readonly promoted: PromotedAnnotations
  /** Returns the authorship after the change. */
  readonly authorOf: (number: number) => Promise<AuthorshipRow | undefined>
}

const open = { additionalProperties: true } as const
const when = Nullable(Type.String())
const Annotation = Type.Object({ ref: AnnotationRef, createdAt: when, modifiedAt: when }, open)
const Field = Type.Object({ ref: FormFieldRef, createdAt: when, filledAt: when }, open)
const annotationValidator = Compile(Annotation)
const fieldValidator = Compile(Field)

export async function completedItem(item: UnfinishedItem, context: ItemContext): Promise<Item> {
  const { opId, cacheDelta, usageRightsRemoved } = context
  const members = itemMembersOf(item.type)
  const attributed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(item)) {
    const kind = members.get(name)
    if (kind !== undefined && value !== null) attributed[name] = await attributedOf(value, kind, context)
  }
  const meta = { ...item.meta, cacheDelta, opId, ...(usageRightsRemoved && { usageRightsRemoved }) }
  // The item consists of members from the worker, and of those known only at the commit.
  return { ...item, ...attributed, meta } as Item
}

async function attributedOf(value: unknown, itemKind: ItemKind, context: ItemContext): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((one) => attributedOf(one, itemKind, context)))
  if (itemKind === 'annotation' && annotationValidator.Check(value))
    return attributedAnnotation(value, await authorOfAnnotation(value, context))
  if (itemKind === 'field' && fieldValidator.Check(value)) {
    const number = fieldNumber(value.ref)
    return attributedField(value, number === undefined ? undefined : await context.authorOf(number))
  }
  throw new Error(`A member of an item is not a valid ${itemKind}`)
}

async function authorOfAnnotation({ ref }: Static<typeof Annotation>, { promoted, authorOf }: ItemContext) {
  const number = annotationNumber(ref, promoted)
  return number === undefined ? undefined : authorOf(number)
}
