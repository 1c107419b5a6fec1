// Routes common to most kinds: list, read, archive, delete.
import { type Route, route } from '../../emulator/contract.js'
import { archive, found, listed, remove } from './objects.js'
import { ListQuery } from './schema.js'

export interface UsualRoutes {
  /** Path, also the name of the collection: `environments`. */
  readonly collection: string
  readonly verbs: readonly Verb[]
}

type Verb = 'list' | 'read' | 'archive' | 'delete'

export function usualRoutes({ collection, verbs }: UsualRoutes): readonly Route[] {
  const path = `/${collection}`
  const item = `${path}/:id`
  const routes: Readonly<Record<Verb, Route>> = {
    list: route({
      method: 'GET',
      path,
      query: ListQuery,
      handle: ({ store, query }) => listed(store.all(collection), query),
    }),
    read: route({
      method: 'GET',
      path: item,
      handle: (request) => ({ body: found(request, collection, request.params['id']).body }),
    }),
    archive: route({
      method: 'POST',
      path: `${item}/archive`,
      handle: (request) => archive(request, found(request, collection, request.params['id'])),
    }),
    delete: route({
      method: 'DELETE',
      path: item,
      handle: (request) => remove(request, found(request, collection, request.params['id'])),
    }),
  }
  return verbs.map((verb) => routes[verb])
}
