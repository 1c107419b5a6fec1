// Routes common to most kinds: list, read, archive, delete.
import { usualRoutesOf } from '../../emulator/usual-routes.js'
import { archive, listObjects, remove, requireObject } from './objects.js'
import { ListQuery } from './schema.js'

export const usualRoutes = usualRoutesOf({
  listQuery: ListQuery,
  list: listObjects,
  find: requireObject,
  archive: (object, context) => archive(context, object),
  remove: (object, context) => remove(context, object),
})
