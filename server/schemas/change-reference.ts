// Requests and responses of `doc.changes` for the reference: every op and every item by its type. The validation is
// looser, because an invalid op refuses only its own change (see `changes.ts`).
import { type TObject, type TSchema, Type } from 'typebox'
import { opContracts } from '../../workers/contract/ops/index.js'
import { SkippedItem } from '../../workers/contract/skipped-item.js'
import { limits } from '../limits.js'
import { changeRequestOf, changeResponseOf } from './changes.js'

const batchable = opContracts.filter(({ isBatchable }) => isBatchable)
const ops = batchable.map(({ type, op }) => [type, op] as const)
const items = [
  ...batchable.map(({ type, item }) => [type, item] as const),
  ...[...batchable.flatMap(({ undoItems = [] }) => undoItems), SkippedItem].map(
    (item) => [typeOf(item), item] as const,
  ),
]

function typeOf({ properties: { type } }: TObject): string {
  return String(Object(type).const)
}

/** `annotations.create` -> `AnnotationsCreateOp`. */
const nameOf = (type: string, suffix: string): string =>
  `${type.replace(/(?:^|\.)(\w)/g, (_whole, letter: string) => letter.toUpperCase())}${suffix}`

/** Returns one named component per type, from which generators make a type. */
function byType(schemas: readonly (readonly [string, TSchema])[], suffix: string): TSchema {
  const named = schemas.map(([type, schema]) => ({ type, name: nameOf(type, suffix), schema }))
  return Type.Unsafe({
    oneOf: named.map(({ name }) => ({ $ref: name })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(named.map(({ type, name }) => [type, `#/components/schemas/${name}`])),
    },
    $defs: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
  })
}

export const changeReference = {
  body: changeRequestOf(byType(ops, 'Op'), { maxItems: limits.opsMax }),
  answer: changeResponseOf(byType(items, 'Item')),
}
