// OpenAPI 3.1 description of the table of operations. Routes and description are derived from the same entries, so
// they cannot differ.
import type { TSchema } from 'typebox'
import type { Authority, Operation } from '../operation/operation.js'
import { IdempotencyKey } from '../schemas/ids.js'
import { topUpHeaders } from '../schemas/object-numbers.js'
import { hoistDefinitions } from './components.js'
import { errorAnswersOf, errorSchemas } from './errors.js'
import { describedPaths, describedSchema, meaningOf } from './members.js'
import { documentedSchemas, sharedSchemas } from './shared.js'

const components = {
  securitySchemes: {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The API token of the deployment, a tenant token, or a document token.',
    },
  },
}

export interface DescribedServer {
  /** Version of Steward. */
  readonly version: string
  /** URL of the operations, relative to the document. */
  readonly url: string
}

export function openApiOf(operations: readonly Operation[], { version, url }: DescribedServer) {
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described(operation) }
  }
  const hoisted = hoistDefinitions(paths, { shared: sharedSchemas, documented: documentedSchemas })
  const schemas = Object.entries({ ...errorSchemas, ...hoisted.schemas })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Steward document server',
      version,
      description:
        'Stores PDF documents, serves their pages and contents in layers, and edits them. Positions are in points (72 per inch) from the top left of the unrotated page, x to the right, y down. Errors have a code for programs: `errors` explains each.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    externalDocs: { description: 'What each error code means, and what to do about it', url: `${url}/errors` },
    servers: [{ url, description: 'This server' }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    paths: describedPaths(hoisted.value),
    components: {
      ...components,
      schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, describedSchema(schema, [name])])),
    },
  }
}

function described(operation: Operation) {
  const { name, summary, authority, input, plane } = operation
  const parameters = [
    ...parametersOf(input.params, { place: 'path', operation: name }),
    ...parametersOf(input.query, { place: 'query', operation: name }),
    ...(plane === 'document' ? [passwordHeader] : []),
    ...(operation.isChange ? [idempotencyHeader] : []),
    ...(isWrite(operation) ? [sessionHeader, topUpHeader] : []),
    ...(operation.isEndless ? [resumingHeader] : []),
  ]
  return {
    operationId: name,
    tags: [tagOf(operation)],
    summary,
    description: authorityText(operation),
    ...(authority.kind === 'none' ? { security: [] } : { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(operation),
    responses: { ...answersOf(operation), ...errorAnswersOf(operation) },
  }
}

const passwordHeader = {
  name: 'X-Document-Password',
  in: 'header',
  required: false,
  description: 'Base64 of the UTF-8 password of an encrypted document. With the API token only.',
  schema: { type: 'string' },
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Id of the change: a repeated request with the same key and body is not applied again but gets the stored response.',
  schema: IdempotencyKey,
}

const sessionHeader = {
  name: 'X-Engine-Session-Id',
  in: 'header',
  required: false,
  description:
    'Session of the client, which events of its changes contain as `originSessionId`. Malformed values are ignored.',
  schema: { type: 'string', pattern: '^[!-~]{1,256}$' },
}

const topUpHeader = {
  name: topUpHeaders.wanted,
  in: 'header',
  required: false,
  description:
    'Number of object numbers to reserve with the change, as `doc.objectNumbers.reserve` does. For document tokens that may create annotations; ignored otherwise, and if malformed. A repeated request reserves none.',
  schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
}

const reservedHeaders = {
  [topUpHeaders.reserved]: {
    description: 'The reserved object numbers, as inclusive ranges.',
    schema: { type: 'string', examples: ['100-131, 140-140'] },
  },
}

/** True if the operation changes a layer, with one op or with many. */
const isWrite = ({ isChange, reference }: Operation): boolean => isChange === true || reference !== undefined

const resumingHeader = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Id of the last received event, or the `auditHead` of a read: the stream continues after it.',
  schema: { type: 'string', pattern: '^[0-9]+$' },
}

function authorityText({ name, authority }: Operation): string {
  if (authority.kind === 'none') return 'Needs no credential.'
  if (authority.kind === 'api-token') return 'Needs the API token.'
  return `Needs the API token, or a ${authority.kind} token with ${needsOfOthers[name] ?? scopesFor(authority)}.`
}

/** Rights in words, by operation, where they depend on the body. Default: those of the ops in it. */
const needsOfOthers: Readonly<Record<string, string>> = {
  'doc.links.create': 'what the read that `url` names needs',
}

function scopesFor(authority: Extract<Authority, { readonly kind: 'tenant' | 'document' }>): string {
  if (authority.kind === 'tenant') return authority.scopes.join(' or ')
  const { capabilities, orCollab, besides = [] } = authority
  if (capabilities.length === 0) return 'what each of the changes needs'
  const collab = orCollab === undefined ? '' : `, or a collaboration scope annotations:${orCollab}:…`
  const always = besides.length === 0 ? '' : `, and in any case ${besides.join(' and ')}`
  return `${capabilities.join(' and ')}${collab}${always}`
}

interface Parameters {
  readonly place: 'path' | 'query'
  readonly operation: string
}

function parametersOf(schema: TSchema | undefined, { place, operation }: Parameters) {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: string[] }
  return Object.entries(properties).map(([name, member]) => ({
    name,
    in: place,
    required: required.includes(name),
    description: meaningOf([operation, name]),
    schema: describedSchema(member, [operation, name]),
  }))
}

function bodyOf(operation: Operation) {
  const { input, isBodyOptional, files, resources, bodyOfLoneFile, fileTypes = [], loneFile, reference } = operation
  if (files) {
    const properties = Object.fromEntries(files.map((name) => [name, { type: 'string', format: 'binary' }]))
    const schema = { type: 'object', properties, required: [...files] }
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } }
  }
  const body = reference?.body ?? input.body
  if (!body) return {}
  const content = {
    'application/json': { schema: body },
    ...(resources
      ? { 'multipart/form-data': { schema: withFiles(body, (bodyOfLoneFile ?? loneFile) !== undefined) } }
      : {}),
    ...Object.fromEntries(fileTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  }
  return { requestBody: { required: !isBodyOptional, content } }
}

/**
 * Adds the files of a multipart message: parts `resource:<key>`, with keys that the body names, or a lone part `file` where the
 * operation allows it.
 */
function withFiles(body: TSchema, mayBeAlone: boolean) {
  const file = { type: 'string', format: 'binary' }
  const parts = { properties: { body }, required: ['body'], patternProperties: { '^resource:.+$': file } }
  if (!mayBeAlone) return { type: 'object', ...parts }
  return { type: 'object', anyOf: [parts, { properties: { file }, required: ['file'] }] }
}

function answersOf(operation: Operation) {
  const { answer: checked, answers = {}, reference, events, parts } = operation
  const answer = reference?.answer ?? checked
  const json = (schema: TSchema) => ({ description: 'Done', content: { 'application/json': { schema } } })
  const further = Object.fromEntries(Object.entries(answers).map(([status, schema]) => [status, json(schema)]))
  if (answer === 'none') return { 204: { description: 'Done; no content' } }
  if (!isMediaTypes(answer))
    return { 200: { ...json(answer), ...(isWrite(operation) && { headers: reservedHeaders }) }, ...further }
  if (events)
    return { 200: { description: events.description, content: { 'text/event-stream': { schema: events.data } } } }
  const media = parts === undefined ? {} : { schema: withFiles(parts, false) }
  return {
    200: { description: 'Bytes', content: Object.fromEntries(answer.map((type) => [type, media])) },
    ...further,
  }
}

function isMediaTypes(answer: TSchema | readonly string[]): answer is readonly string[] {
  return Array.isArray(answer)
}

/** `doc.annotations.list` -> `doc.annotations`. */
const tagOf = ({ name }: Operation): string => name.split('.').slice(0, -1).join('.')
