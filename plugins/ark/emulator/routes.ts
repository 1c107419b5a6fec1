// Usual routes of this API, which has no archive calls.
import { usualRoutesOf } from '../../emulator/usual-routes.js'
import { listAnswer, PageQuery, requireObject } from './objects.js'

export const usualRoutes = usualRoutesOf({
  listQuery: PageQuery,
  list: (objects, query) => listAnswer(objects, query),
  find: requireObject,
  remove(object, { store }) {
    store.remove(object)
    return { body: { id: object.id, type: `${String(object.body['type'])}_deleted` } }
  },
})
