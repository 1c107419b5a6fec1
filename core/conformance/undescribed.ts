// Finds keys of a schema without a description, for which editors, `agents explain` and the reference would show
// nothing.
import { isObject } from '../value/tree.js'

/** Keywords with values, not schemas. */
const values: ReadonlySet<string> = new Set(['examples', 'default', 'const', 'enum'])

/** Returns the paths of properties without a description, `.api_key`, at any depth of a JSON Schema. */
export function undescribedKeys(schema: unknown, at = ''): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => undescribedKeys(part, at))
  if (!isObject(schema)) return []
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (values.has(keyword)) return []
    if (keyword !== 'properties' || !isObject(value)) return undescribedKeys(value, at)
    return Object.entries(value).flatMap(([key, member]) => {
      const isDescribed = isObject(member) && typeof member['description'] === 'string'
      return [...(isDescribed ? [] : [`${at}.${key}`]), ...undescribedKeys(member, `${at}.${key}`)]
    })
  })
}
