// The connections of a deployment, opened from its settings. Credentials are read from the environment, once.
import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { closest } from '../../core/value/suggestions.js'
import type { Connection, Connections } from '../operation/connections.js'
import type { ConnectionSettings, ConnectionsSettings, S3Settings } from '../settings/connections.js'
import { serveProblem } from '../settings/problems.js'
import { parseAddress, type S3Address } from '../storage/s3/address.js'
import { FolderConnection } from './folder-connection.js'
import { type Credentials, S3Connection } from './s3-connection.js'

type Environment = Readonly<Record<string, string | undefined>>

export interface ConnectionsFrom {
  readonly env: Environment
  /** Path of the data folder, which no connection may contain or be in. */
  readonly dataFolder: string
  /** Address of the storage of the server's own files, which no connection may reach. */
  readonly blobs?: string | undefined
}

export class RegisteredConnections implements Connections {
  private readonly connections: ReadonlyMap<string, FolderConnection | S3Connection>

  /** Throws a `Problem` for credentials that the environment lacks, and for a root that overlaps the data folder. */
  constructor(
    private readonly settings: ConnectionsSettings,
    from: ConnectionsFrom,
  ) {
    this.connections = new Map(Object.entries(settings).map(([id, one]) => [id, opened(id, one, from)] as const))
  }

  find(id: string, tenantId: string): Connection | undefined {
    const connection = this.connections.get(id)
    const tenants = connection && this.settings[id]?.tenants
    return tenants?.includes(tenantId) || tenants?.includes('*') ? connection : undefined
  }

  nearest(id: string, tenantId: string): string | undefined {
    return closest(
      id,
      [...this.connections.keys()].filter((name) => this.find(name, tenantId)),
    )
  }

  close(): void {
    for (const connection of this.connections.values()) {
      if (connection instanceof S3Connection) void connection.close()
    }
  }
}

function opened(id: string, settings: ConnectionSettings, { env, dataFolder, blobs }: ConnectionsFrom) {
  if (settings.type === 's3') {
    if (blobs !== undefined && reaches(settings, parseAddress(blobs))) {
      throw bad(id, 'its prefixes contain the files of this server (--blobs), or are among them.')
    }
    return new S3Connection(id, settings, credentialsOf(id, settings, env))
  }
  const [root, data] = [actualPath(settings.root), actualPath(dataFolder)]
  if (isBelow(root, data) || isBelow(data, root)) {
    throw bad(id, 'its root contains the data folder, or is in it.')
  }
  return new FolderConnection(id, settings)
}

/** True if a key that the connection allows may be one of the server's own files. */
function reaches({ bucket, endpoint, region, prefixes }: S3Settings, own: S3Address): boolean {
  const hostOf = (url: string | undefined) => (url === undefined ? 'aws' : new URL(url).host)
  const isSame = bucket === own.bucket && hostOf(endpoint) === hostOf(own.endpoint)
  if (!isSame || (endpoint === undefined && own.region !== undefined && own.region !== region)) return false
  const ownPath = own.prefix
  return prefixes.some((prefix) => {
    const path = prefix === '' ? '' : `${prefix.replace(/\/+$/, '')}/`
    return ownPath.startsWith(path) || path.startsWith(ownPath)
  })
}

const isBelow = (folder: string, path: string): boolean =>
  path === folder || `${path}`.startsWith(withSeparator(folder))

const withSeparator = (path: string): string => (path.endsWith(sep) ? path : path + sep)

/** Resolves links as far as the path exists. */
function actualPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** A message never repeats the name of a variable: somebody may have written a secret in its place. */
function credentialsOf(id: string, { credentials }: S3Settings, env: Environment): Credentials {
  if ('profile' in credentials) return credentials
  const secretOf = (member: keyof typeof credentials): string | undefined => {
    const variable = credentials[member]
    const value = variable === undefined ? undefined : env[variable]
    if (variable === undefined || value) return value
    throw bad(id, `credentials.${member} names an environment variable that is not set.`)
  }
  const sessionToken = secretOf('sessionToken')
  return {
    accessKeyId: secretOf('accessKeyId') ?? '',
    secretAccessKey: secretOf('secretAccessKey') ?? '',
    ...(sessionToken === undefined ? {} : { sessionToken }),
  }
}

const bad = (id: string, why: string) => serveProblem('serve.bad-connection', { detail: `connections.${id}: ${why}` })
