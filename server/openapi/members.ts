// Adds descriptions from the glossary to parameters and members, and formats to integers: a counter based on Unix time
// exceeds 32 bits in 2038, so generated clients must use a wider type.
import { accessTerms } from './glossary/access.js'
import { analysisTerms } from './glossary/analysis.js'
import { annotationTerms } from './glossary/annotations.js'
import { changeTerms } from './glossary/changes.js'
import { deploymentTerms } from './glossary/deployment.js'
import { documentTerms } from './glossary/documents.js'
import { formTerms } from './glossary/forms.js'
import { searchTerms } from './glossary/search.js'
import { signatureTerms } from './glossary/signatures.js'
import { webhookTerms } from './glossary/webhooks.js'

/** Lists of entries. No two lists have the same entry. */
export const glossaries: readonly Readonly<Record<string, string>>[] = [
  accessTerms,
  analysisTerms,
  annotationTerms,
  changeTerms,
  documentTerms,
  formTerms,
  searchTerms,
  signatureTerms,
  webhookTerms,
  deploymentTerms,
]

/** A plain name applies to every owner, `Owner.name` overrides it, and `operation.body.name` does so in requests. */
const terms: ReadonlyMap<string, string> = new Map(glossaries.flatMap((list) => Object.entries(list)))

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Looks up the longest suffix of the path in the glossary: `FormField.options.label`, `options.label`, `label`. */
export function meaningOf(path: readonly string[]): string | undefined {
  for (const one of [path, ...inBody(path), ...[...path.keys()].slice(1).map((from) => path.slice(from))]) {
    const found = terms.get(one.join('.'))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns further paths of a member of a request, which may be JSON alone or a part beside files. */
function inBody([owner = '', ...within]: readonly string[]): readonly (readonly string[])[] {
  const inPart = within[0] === 'multipart' ? within.slice(1) : within
  const [body, ...members] = inPart
  if (body !== 'body' || members.length === 0) return []
  return [
    [owner, 'body', ...members],
    [owner, ...members],
  ]
}

/** Returns the schema with its members described. `path`: component or operation, followed by the enclosing members. */
export function describedSchema(schema: unknown, path: readonly string[]): unknown {
  if (Array.isArray(schema)) return schema.map((one) => describedSchema(one, path))
  if (!isMembers(schema)) return schema
  const { properties, items, anyOf, oneOf, ...rest } = schema
  return {
    ...rest,
    ...(rest.type === 'integer' ? { format: widthOf(rest) } : {}),
    ...(isMembers(properties) ? { properties: describedMembers(properties, path) } : {}),
    ...(items === undefined ? {} : { items: describedSchema(items, path) }),
    ...(anyOf === undefined ? {} : { anyOf: describedSchema(anyOf, path) }),
    ...(oneOf === undefined ? {} : { oneOf: describedSchema(oneOf, path) }),
  }
}

/** Returns operations by path and method with the members of their bodies and responses described. */
export function describedPaths(paths: unknown): unknown {
  return mapped(paths, (methods) =>
    mapped(methods, (operation) => {
      const { operationId, requestBody, responses, ...rest }: Members = Object(operation)
      const owner = String(operationId)
      const { content, ...body }: Members = Object(requestBody)
      return {
        operationId,
        ...rest,
        ...(requestBody === undefined
          ? {}
          : { requestBody: { ...body, content: describedContent(content, [owner, 'body']) } }),
        responses: mapped(responses, (response) => {
          const { content, ...answer }: Members = Object(response)
          return { ...answer, ...(content === undefined ? {} : { content: describedContent(content, [owner]) }) }
        }),
      }
    }),
  )
}

const describedContent = (content: unknown, path: readonly string[]): unknown =>
  mapped(content, (media, type) => {
    const { schema, ...rest }: Members = Object(media)
    const at = type.startsWith('multipart/') ? [...path.slice(0, 1), 'multipart'] : path
    return { ...rest, ...(schema === undefined ? {} : { schema: describedSchema(schema, at) }) }
  })

const mapped = (value: unknown, map: (member: unknown, name: string) => unknown): Members =>
  Object.fromEntries(Object.entries(Object(value)).map(([name, member]) => [name, map(member, name)]))

function describedMembers(properties: Members, path: readonly string[]): Members {
  const members = Object.entries(properties).map(([name, member]) => {
    const at = [...path, name]
    const schema = describedSchema(member, at)
    const description = meaningOf(at)
    const needsOne = isMembers(schema) && schema.description === undefined && description !== undefined
    return [name, needsOne ? { description, ...schema } : schema] as const
  })
  return Object.fromEntries(members)
}

const int32Max = 2 ** 31 - 1

const widthOf = ({ maximum, exclusiveMaximum }: Members): string =>
  Number(maximum ?? exclusiveMaximum ?? Number.POSITIVE_INFINITY) <= int32Max ? 'int32' : 'int64'
