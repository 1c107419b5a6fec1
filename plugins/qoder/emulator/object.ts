// Creates, finds and changes emulated objects: ids, times, and refusals common to all resources.
import type { JsonObject } from '../../../core/value/tree.js'
import { type EmulatorContext, refuse } from '../../emulator/contract.js'
import type { NewObject, StoredObject } from '../../emulator/store.js'

export type Context = Pick<EmulatorContext, 'store' | 'nowMs' | 'ownKnobs'>

/** Refuses members that the schema does not list. */
export const exact = { additionalProperties: false } as const

/** A new object, whose id is generated. */
export type Made = Omit<NewObject, 'id' | 'createdAtMs'> & { readonly prefix: string; readonly id?: string | undefined }

export function make(context: Context, { prefix, id = newId(context, prefix), body, ...made }: Made): StoredObject {
  const { store, nowMs } = context
  if (store.find(made.collection, id)) throw refuse('conflict', `${id} already exists`)
  const time = isoTime(nowMs)
  const whole = { id, ...body, created_at: time, updated_at: time }
  return store.insert({ ...made, id, body: whole, createdAtMs: nowMs })
}

export function change(
  { store, nowMs }: Context,
  object: StoredObject,
  body: JsonObject,
  hidden: JsonObject = {},
): StoredObject {
  return store.put({
    ...object,
    body: { ...object.body, ...body, updated_at: isoTime(nowMs) },
    hidden: { ...object.hidden, ...hidden },
  })
}

export function newId({ store }: Context, prefix: string): string {
  return store.newId(prefix, 26).toLowerCase()
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** Finds an object, archived ones included. */
export function find({ store }: Context, collection: string, id: string | undefined): StoredObject {
  const found = store.find(collection, id ?? '')
  if (!found) throw refuse('notFound', `no object with the id ${id}`, { code: 'not_found' })
  return found
}

/** Finds an object that a request changes; archived ones are refused. */
export function findActive(context: Context, collection: string, id: string | undefined): StoredObject {
  const found = find(context, collection, id)
  if (isArchived(found)) throw refuse('conflict', `${found.id} is archived`)
  return found
}

/** Finds an object that a member of a request refers to. */
export function requireNamed({ store }: Context, collections: readonly string[], id: string, param: string): void {
  const found = collections.map((collection) => store.find(collection, id)).find((object) => object !== undefined)
  if (!found || isArchived(found)) throw refuse('invalid', `${param}: no object with the id ${id}`, { param })
}

export function isArchived({ body }: StoredObject): boolean {
  return body['archived_at'] !== null && body['archived_at'] !== undefined
}

/** Refuses a name that another active object has. The object with the given id is not compared. */
export function refuseTakenName(
  context: Context,
  {
    collection,
    name,
    kind,
    id,
  }: { readonly collection: string; readonly name: string; readonly kind: string; readonly id?: string },
): void {
  const holders = activeWhere(context, collection, (object) => object.id !== id && object.body['name'] === name)
  if (holders.length > 0)
    throw refuse('conflict', `an ${kind} named "${name}" already exists`, { code: `${kind}_name_taken` })
}

export function archive(context: Context, object: StoredObject): StoredObject {
  if (isArchived(object)) throw refuse('conflict', `${object.id} is already archived`)
  return change(context, object, { archived_at: isoTime(context.nowMs) })
}

/** Returns every active object of a collection that the predicate accepts. */
export function activeWhere(
  { store }: Context,
  collection: string,
  isMeant: (object: StoredObject) => boolean,
): readonly StoredObject[] {
  const meant: StoredObject[] = []
  for (const object of store.all(collection)) if (isMeant(object) && !isArchived(object)) meant.push(object)
  return meant
}

/** Applies the changes that the service makes itself, after a test changed an object without a request. */
export function touched(object: StoredObject, { nowMs }: Context): StoredObject {
  return { ...object, body: { ...object.body, updated_at: isoTime(nowMs) } }
}
