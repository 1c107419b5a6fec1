// OpenAPI description of errors: one schema per API plane with its codes as a closed list, and the statuses of each
// operation with their meanings.
import type { Operation, Plane } from '../operation/operation.js'
import { codesOn, type RefusalCode, type RefusalRow } from '../refusals/refusal-codes.js'

type Where = 'documents' | 'tenants'

const whereOf: Readonly<Record<Plane, Where>> = { deployment: 'tenants', tenant: 'tenants', document: 'documents' }
const schemaOf: Readonly<Record<Where, string>> = { documents: 'EngineError', tenants: 'TenantError' }

const rowsOn = { documents: codesOn('documents'), tenants: codesOn('tenants') } as const

const codeSchema = (where: Where) => ({
  type: 'string',
  enum: rowsOn[where].map(([code]) => code),
  description: `What went wrong, for programs. Each code is explained on the page of errors:\n\n${rowsOn[where]
    .map(([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`)
    .join('\n')}`,
})

const message = { type: 'string', description: 'What is wrong and where, for people. Its wording may change.' }

const engineMembers = {
  name: { const: 'EngineError', description: 'Tells an error from other objects.' },
  code: codeSchema('documents'),
  message,
  details: { type: 'object', description: 'Facts of the code: the pointer to a wrong member, a limit, a reason.' },
}
const engineError = { type: 'object', required: ['name', 'code', 'message'], properties: engineMembers }

export const errorSchemas = {
  TenantError: {
    type: 'object',
    description: 'An error outside of documents.',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        description: 'The error; details of its code (`limit`, `state`, …) are members next to code and message.',
        required: ['code', 'message'],
        properties: { code: codeSchema('tenants'), message },
      },
    },
  },
  EngineError: {
    ...engineError,
    description: 'An error on a document.',
    properties: {
      ...engineMembers,
      error: {
        ...engineError,
        description: 'The same once more, where some clients look for it.',
        properties: { ...engineMembers, code: { ...codeSchema('documents'), description: 'As above.' } },
      },
    },
  },
}

/** Additional statuses of single operations. */
const furtherStatuses: Readonly<Record<string, readonly number[]>> = {
  'shares.exchange': [403, 410, 422, 429],
  'documents.uploadProxy': [409],
  'documents.importFrom': [502],
  'documents.thumbnail': [404],
  'documents.download': [416],
  'doc.download': [416],
  'doc.versions.download': [416],
  'doc.versions.revision': [416],
  'doc.annotations.listAll': [409],
  'doc.changes': [409],
  'doc.access': [429],
  'doc.events': [429],
}

/** Codes that only these operations return; every other code may be returned by all operations of its plane. */
const onlyFrom: Partial<Readonly<Record<RefusalCode, readonly string[]>>> = {
  Conflict: ['documents.init', 'documents.importFrom'],
  UploadMismatch: ['documents.uploadProxy', 'documents.commit', 'documents.importFrom'],
  NotAwaitingUpload: ['documents.uploadProxy'],
  SourceRefused: ['documents.importFrom'],
  ImportRefused: ['documents.importFrom'],
  UpstreamFailed: ['documents.importFrom'],
  ThumbnailUnavailable: ['documents.thumbnail'],
  OriginRequired: ['shares.exchange'],
  ShareExpired: ['shares.exchange'],
  SharePasswordRequired: ['shares.exchange'],
}

const comesFrom = (code: string, { name }: Operation): boolean => {
  const [, only] = Object.entries(onlyFrom).find(([one]) => one === code) ?? []
  return only === undefined || only.includes(name)
}

export function errorAnswersOf(operation: Operation) {
  const where = whereOf[operation.plane]
  const schema = { $ref: `#/components/schemas/${schemaOf[where]}` }
  const content = { 'application/json': { schema } }
  const answers = statusesOf(operation).map(
    (status) => [status, { description: describeStatus(status, where, operation), content }] as const,
  )
  return {
    ...Object.fromEntries(answers),
    default: { description: 'Any other error: its code names it.', content },
  }
}

function statusesOf({ name, plane, path, authority, input, files, isChange, needs }: Operation) {
  const hasBody = input.body !== undefined || files !== undefined
  return [
    ...new Set([
      400,
      ...(authority.kind === 'none' ? [] : [401, 403]),
      ...(path.includes(':') || needs ? [404] : []),
      ...(isChange ? [409] : []),
      ...(hasBody ? [413, 415] : []),
      ...(plane === 'document' ? [422] : []),
      ...(furtherStatuses[name] ?? []),
      500,
      503,
    ]),
  ].toSorted((one, other) => one - other)
}

/** Meanings of HTTP statuses in addition to those of the codes. */
const furtherMeanings: Readonly<Record<number, string>> = {
  415: '`InvalidArg`: the body has an unsupported `Content-Type`, `Content-Encoding` or charset.',
  416: '`InvalidArg`: the byte range is beyond the end of the file.',
  429: '`RuntimeUnavailable`: this client sends too many requests at once, or has tried too many passwords.',
}

function describeStatus(status: number, where: Where, operation: Operation): string {
  const rows = rowsOn[where].filter(([code, row]) => row.status === status && comesFrom(code, operation))
  const { [status]: otherwise = 'An error.' } = furtherMeanings
  return rows.length === 0
    ? otherwise
    : rows.map(([code, { meaning }]: readonly [string, RefusalRow]) => `\`${code}\`: ${meaning}`).join(' ')
}
