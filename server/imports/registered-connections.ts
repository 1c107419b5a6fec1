// The connections of a deployment, opened from its settings. Credentials are read from the environment, once.
import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { closest } from '../../core/value/suggestions.js'
import type { Connection, Connections } from '../operation/connections.js'
import type { ConnectionSettings, ConnectionsSettings, S3Settings } from '../settings/connections.js'
import { serveProblem } from '../settings/problems.js'
import { FolderConnection } from './folder-connection.js'
import { type Credentials, S3Connection } from './s3-connection.js'

type Environment = Readonly<Record<string, string | undefined>>

export interface ConnectionsFrom {
  readonly env: Environment
  /** Path of the data folder, which no connection may contain or be in. */
  readonly dataFolder: string
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

function opened(id: string, settings: ConnectionSettings, { env, dataFolder }: ConnectionsFrom) {
  if (settings.type === 's3') return new S3Connection(id, settings, credentialsOf(id, settings, env))
  const [root, data] = [actualPath(settings.root), actualPath(dataFolder)]
  if (isBelow(root, data) || isBelow(data, root)) {
    throw bad(id, 'its root contains the data folder, or is in it.')
  }
  return new FolderConnection(id, settings)
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
