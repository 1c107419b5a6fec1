// Routes that most kinds of one API share: list, read, archive, delete. An API describes once how it implements each.
import type { Static, TSchema } from 'typebox'
import { type Answer, type EmulatorContext, type Route, route } from './contract.js'
import type { StoredObject } from './store.js'

export interface UsualCalls<Query extends TSchema> {
  readonly listQuery: Query
  /** Query schema of the calls for one object. If absent, there must be no query. */
  readonly itemQuery?: TSchema
  list(objects: Iterable<StoredObject>, query: Static<Query>): Answer
  find(context: EmulatorContext, collection: string, id: string | undefined): StoredObject
  /** Archives an object; absent if the API has no archive. */
  archive?(object: StoredObject, context: EmulatorContext): Answer
  remove(object: StoredObject, context: EmulatorContext): Answer
}

type Verb = 'list' | 'read' | 'archive' | 'delete'

export interface UsualRoutes {
  /** Path of the collection, `/environments`. */
  readonly path: string
  readonly collection: string
  readonly verbs: readonly Verb[]
}

export function usualRoutesOf<Query extends TSchema>(calls: UsualCalls<Query>) {
  const { listQuery, itemQuery, list, find, archive, remove } = calls
  const query = itemQuery === undefined ? {} : { query: itemQuery }
  return ({ path, collection, verbs }: UsualRoutes): readonly Route[] => {
    const item = `${path}/:id`
    const routes: Readonly<Record<Verb, Route | undefined>> = {
      list: route({
        method: 'GET',
        path,
        query: listQuery,
        handle: (request) => list(request.store.all(collection), request.query),
      }),
      read: route({
        ...query,
        method: 'GET',
        path: item,
        handle: (request) => ({ body: find(request, collection, request.params['id']).body }),
      }),
      archive:
        archive &&
        route({
          ...query,
          method: 'POST',
          path: `${item}/archive`,
          handle: (request) => archive(find(request, collection, request.params['id']), request),
        }),
      delete: route({
        ...query,
        method: 'DELETE',
        path: item,
        handle: (request) => remove(find(request, collection, request.params['id']), request),
      }),
    }
    return verbs.map((verb) => {
      const usual = routes[verb]
      if (!usual) throw new Error(`${path}: this API has no usual route to ${verb}`)
      return usual
    })
  }
}
