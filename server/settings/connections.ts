// Connections in the settings file: storages that documents may be imported from. Credentials are named, never
// written there.
import { isAbsolute } from 'node:path'
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { hint } from '../../core/value/suggestions.js'

const strict = { additionalProperties: false } as const

const isPrefix = (prefix: string): boolean =>
  !prefix.includes('\0') &&
  prefix
    .replace(/\/$/, '')
    .split('/')
    .every((part, index, parts) => (part === '' ? parts.length === 1 && index === 0 : part !== '.' && part !== '..'))

const Prefix = Type.Refine(Type.String({ maxLength: 1024 }), isPrefix, () => 'must be a path such as invoices/2026')
const Folder = Type.Refine(Type.String({ minLength: 1 }), isAbsolute, () => 'must be an absolute path')
const Variable = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' })

const common = {
  /** Allowed prefixes of keys, in whole path segments; the empty string allows every key. */
  prefixes: Type.Array(Prefix, { minItems: 1 }),
  /** Ids of the tenants that may use the connection; `*` = all. */
  tenants: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }),
}

export const FilesystemSettings = Type.Object({ type: Type.Literal('filesystem'), root: Folder, ...common }, strict)

const Credentials = Type.Union([
  Type.Object(
    { accessKeyId: Variable, secretAccessKey: Variable, sessionToken: Type.Optional(Variable) },
    { ...strict, description: 'Names of environment variables.' },
  ),
  Type.Object({ profile: Type.String({ minLength: 1 }) }, { ...strict, description: 'Profile of ~/.aws.' }),
])

export const S3Settings = Type.Object(
  {
    type: Type.Literal('s3'),
    bucket: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,254}$' }),
    /** Default: that of AWS in the region. */
    endpoint: Type.Optional(Type.String({ pattern: '^https?://' })),
    region: Type.String({ minLength: 1 }),
    /** True if URLs have the bucket in the path, false if in the host name. Default: true if there is an endpoint. */
    pathStyle: Type.Optional(Type.Boolean()),
    credentials: Credentials,
    ...common,
  },
  strict,
)

export type FilesystemSettings = Static<typeof FilesystemSettings>
export type S3Settings = Static<typeof S3Settings>
export type ConnectionSettings = FilesystemSettings | S3Settings
export type ConnectionsSettings = Readonly<Record<string, ConnectionSettings>>

const kinds = {
  filesystem: { schema: FilesystemSettings, validator: Compile(FilesystemSettings) },
  s3: { schema: S3Settings, validator: Compile(S3Settings) },
} as const

export interface ReadConnections {
  readonly connections: ConnectionsSettings
  /** One sentence for each value that is wrong. */
  readonly wrong: readonly string[]
}

/** Reads the value of `connections`. `source`: how messages name it, such as `steward.yaml: connections`. */
export function readConnections(value: unknown, source: string): ReadConnections {
  if (value === undefined || value === null) return { connections: {}, wrong: [] }
  if (!isMap(value)) return { connections: {}, wrong: [`${source} must be a map of names to connections.`] }
  const connections: Record<string, ConnectionSettings> = {}
  const wrong: string[] = []
  for (const [name, settings] of Object.entries(value)) {
    const read = readConnection(name, settings, `${source}.${name}`)
    if (Array.isArray(read)) wrong.push(...read)
    else connections[name] = read as ConnectionSettings
  }
  return { connections, wrong }
}

function readConnection(name: string, value: unknown, where: string): ConnectionSettings | readonly string[] {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(name)) {
    return [`${where} must have a name of at most 128 letters, digits, ".", "_" and "-".`]
  }
  if (!isMap(value)) return [`${where} must be a map.`]
  const { type } = value
  if (type !== 'filesystem' && type !== 's3') {
    return [
      `${where}.type ${type === undefined ? 'is missing' : 'is unknown'}. ${hint(String(type), ['filesystem', 's3'])}`,
    ]
  }
  const { schema, validator } = kinds[type]
  if (validator.Check(value)) return value
  const sentences = new Map<string, string>()
  for (const error of validator.Errors(value)) {
    // An unknown member is reported with the object that has it.
    if (error.keyword === 'boolean') continue
    const path = error.instancePath.split('/').slice(1)
    const member = path[0] ?? ''
    if (!sentences.has(member)) sentences.set(member, sentenceOf(error, [where, ...path].join('.'), schema))
  }
  return [...sentences.values()]
}

/** Values of credentials are never repeated, because somebody may have written a secret in place of its name. */
function sentenceOf(error: TLocalizedValidationError, where: string, schema: TSchema): string {
  if (error.keyword === 'additionalProperties') {
    const known = Object.keys(Object(schema).properties)
    const [unknown = ''] = error.params.additionalProperties
    return `${where} has "${unknown}". ${hint(unknown, known)}`
  }
  if (error.keyword === 'required') return `${where} lacks ${error.params.requiredProperties.join(', ')}.`
  if (/\.credentials(\.|$)/.test(where)) {
    return `${where.replace(/(\.credentials).*$/, '$1')} must name environment variables (accessKeyId, secretAccessKey) or a profile.`
  }
  if (/\.endpoint$/.test(where)) return `${where} must begin with http:// or https://.`
  return `${where} ${error.message}.`
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
