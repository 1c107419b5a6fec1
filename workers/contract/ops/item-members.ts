// Where annotations and fields stand in items, read from the schemas of the items.
import type { TObject, TSchema } from 'typebox'
import { Annotation } from '../annotations/annotation.js'
import { WidgetAnnotation } from '../annotations/widget.js'
import { FormField } from '../form-field.js'
import { opContracts } from './index.js'

export type Held = 'annotation' | 'field'

const current: ReadonlyMap<unknown, Held> = new Map<unknown, Held>([
  [Annotation, 'annotation'],
  [WidgetAnnotation, 'annotation'],
  [FormField, 'field'],
])

const schemas = opContracts.flatMap(({ item, undoItems = [] }): readonly TObject[] => [item, ...undoItems])
const membersByType = new Map(schemas.map((schema) => [typeOf(schema), membersIn(schema)]))

/** Names of the members that contain annotations or fields: one, an array of them, or null. */
export const itemMembersOf = (itemType: string): ReadonlyMap<string, Held> => membersByType.get(itemType) ?? new Map()

function typeOf({ properties: { type } }: TObject): string {
  return String(Object(type).const)
}

function membersIn({ properties }: TObject): ReadonlyMap<string, Held> {
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) => {
      const kind = heldIn(schema)
      return kind === undefined ? [] : [[name, kind] as const]
    }),
  )
}

function heldIn(schema: TSchema): Held | undefined {
  const { items, anyOf }: { readonly items?: TSchema; readonly anyOf?: readonly TSchema[] } = schema
  const itself = current.get(schema)
  if (itself !== undefined) return itself
  if (items !== undefined) return heldIn(items)
  return anyOf?.map(heldIn).find((kind) => kind !== undefined)
}
