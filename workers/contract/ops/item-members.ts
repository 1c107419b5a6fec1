// Members of items that contain annotations and fields, derived from the schemas of the items.
import type { TObject, TSchema } from 'typebox'
import { Annotation } from '../annotations/annotation.js'
import { WidgetAnnotation } from '../annotations/widget.js'
import { FormField } from '../form-field.js'
import { opContracts } from './index.js'

export type ItemKind = 'annotation' | 'field'

const kindsBySchema: ReadonlyMap<unknown, ItemKind> = new Map<unknown, ItemKind>([
  [Annotation, 'annotation'],
  [WidgetAnnotation, 'annotation'],
  [FormField, 'field'],
])

const schemas = opContracts.flatMap(({ item, undoItems = [] }): readonly TObject[] => [item, ...undoItems])
const membersByType = new Map(schemas.map((schema) => [typeOf(schema), membersIn(schema)]))

/** Returns the names of the members that contain annotations or fields: one, an array of them, or null. */
export const itemMembersOf = (itemType: string): ReadonlyMap<string, ItemKind> =>
  membersByType.get(itemType) ?? new Map()

function typeOf({ properties: { type } }: TObject): string {
  return String(Object(type).const)
}

function membersIn({ properties }: TObject): ReadonlyMap<string, ItemKind> {
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const kind = kindIn(schema)
      return kind === undefined ? [] : [[name, kind] as const]
    }),
  )
}

function kindIn(schema: TSchema): ItemKind | undefined {
  const { items, anyOf }: { readonly items?: TSchema; readonly anyOf?: readonly TSchema[] } = schema
  const itself = kindsBySchema.get(schema)
  if (itself !== undefined) return itself
  if (items !== undefined) return kindIn(items)
  return anyOf?.map(kindIn).find((kind) => kind !== undefined)
}
