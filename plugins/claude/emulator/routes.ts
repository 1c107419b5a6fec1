// Routes that most kinds of this API have.
import { usualRoutesOf } from '../../emulator/usual-routes.js'
import { archiveObject, list, removeObject, requireObject } from './objects.js'
import { archivedToo, listed, NoQuery, query } from './schema.js'

export const usualRoutes = usualRoutesOf({
  listQuery: query({ ...listed, ...archivedToo }),
  itemQuery: NoQuery,
  list: (objects, given) => list(objects, given),
  find: ({ store }, collection, id) => requireObject(store, collection, id),
  archive: archiveObject,
  remove: (object, { store }) => removeObject(object, store, `${object.collection}_deleted`),
})
