// Routes that most kinds of this API have.
import { usualRoutesOf } from '../../emulator/usual-routes.js'
import { archived, deleted, list, stored } from './objects.js'
import { archivedToo, listed, NoQuery, query } from './schema.js'

export const usualRoutes = usualRoutesOf({
  listQuery: query({ ...listed, ...archivedToo }),
  itemQuery: NoQuery,
  list: (objects, given) => list(objects, given),
  find: ({ store }, collection, id) => stored(store, collection, id),
  archive: archived,
  remove: (object, { store }) => deleted(object, store, `${object.collection}_deleted`),
})
