// Address of a PostgreSQL store: `postgres://user:password@host:port/database?schema=steward&sslmode=verify-full`.
import { readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { reasonOf, StoreUnfit } from './unfit.js'

export interface PostgresAddress {
  readonly connection: ClientConfig
  /** Schema that holds the tables of the store. */
  readonly schema: string
  /** Address without user, password and parameters, for messages. */
  readonly shown: string
}

/** Modes of libpq. `require` encrypts without verifying the server, unless a root certificate is named. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof sslModes)[number]

const parameterNames: ReadonlySet<string> = new Set([
  'schema',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'application_name',
  'host',
])

/** Parses an address. Throws `StoreUnfit`, whose message has no password. */
export function parseAddress(text: string): PostgresAddress {
  try {
    return parsed(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    throw new StoreUnfit('address', 'The address of the store has a "%" that begins no escape; write it as %25.')
  }
}

function parsed(text: string): PostgresAddress {
  const url = URL.parse(text)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new StoreUnfit('address', 'The address of the store must have the form postgres://user@host:5432/database.')
  }
  const database = decodeURIComponent(url.pathname.slice(1))
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '')
  const port = url.port === '' ? undefined : Number(url.port)
  const shown = `postgres://${host.startsWith('/') ? '' : url.host}/${database}`
  const strange = [...url.searchParams.keys()].find((name) => !parameterNames.has(name))
  if (strange !== undefined) {
    const known = [...parameterNames].join(', ')
    throw new StoreUnfit('address', `${shown}: the parameter "${strange}" is unknown; there are ${known}.`)
  }
  return {
    connection: {
      ...(host === '' ? {} : { host }),
      ...(port === undefined ? {} : { port }),
      ...(url.username === '' ? {} : { user: decodeURIComponent(url.username) }),
      ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
      ...(database === '' ? {} : { database }),
      application_name: url.searchParams.get('application_name') ?? 'steward',
      ssl: encryptionOf(url.searchParams, shown),
    },
    schema: schemaOf(url.searchParams.get('schema') ?? 'steward', shown),
    shown,
  }
}

function schemaOf(name: string, shown: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name
  throw new StoreUnfit('address', `${shown}: a schema is named by lower-case letters, digits and "_".`)
}

function encryptionOf(parameters: URLSearchParams, shown: string): ClientConfig['ssl'] {
  const given = parameters.get('sslmode') ?? 'disable'
  const mode = sslModes.find((known) => known === given)
  if (mode === undefined) {
    throw new StoreUnfit('address', `${shown}: sslmode is one of ${sslModes.join(', ')}.`)
  }
  if (mode === 'disable') return false
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => fileOf(parameters.get(name), shown))
  const verifies = mode !== 'require' || ca !== undefined
  return {
    rejectUnauthorized: verifies,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(verifiesName(mode) ? {} : { checkServerIdentity: () => undefined }),
  }
}

const verifiesName = (mode: SslMode): boolean => mode === 'verify-full'

function fileOf(path: string | null, shown: string): string | undefined {
  if (path === null) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StoreUnfit('encryption', `${shown}: ${reasonOf(error)}.`, error)
  }
}
