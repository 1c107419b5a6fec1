// A cluster on this machine: server processes behind nginx, on one PostgreSQL, one Redis and one object store.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { PostgresServer } from '../support/engines/postgres.js'
import { type RedisServer, startRedis } from '../support/engines/redis.js'
import { type Swift, startSwift } from '../support/engines/swift.js'
import { freePort } from '../support/free-port.js'
import { bucketSource, folderSource, type ImportSource } from './load/import-sources.js'
import { ServerProcess, startNginx } from './processes.js'

export interface Cluster {
  /** Address of nginx. */
  readonly url: string
  readonly apiToken: string
  readonly servers: readonly ServerProcess[]
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  readonly swift: Swift
  /** Storages that the servers may import from. */
  readonly importSources: readonly ImportSource[]
  /** Program of a release with another format of rows, where a run upgrades to one. */
  readonly nextRelease?: string
  /** Folder of each process, for what a fault does to its disk. */
  readonly folder: string
  end(): Promise<void>
}

export interface ClusterOptions {
  readonly folder: string
  readonly processes: number
  readonly nextRelease?: string
  /** Further variables of a process, by its index. */
  readonly envOf?: (index: number) => Readonly<Record<string, string>>
  /** Files that move the clock of a process, by its index. */
  readonly clockFiles?: ReadonlyMap<number, string>
}

/** Secrets that all processes share; an operator gives them by the same variables. */
const secrets = {
  STEWARD_API_TOKEN: randomBytes(32).toString('base64url'),
  STEWARD_SIGNING_SECRET: randomBytes(32).toString('base64'),
  STEWARD_SEALING_KEY: randomBytes(32).toString('base64'),
} as const

export async function startCluster(
  t: Pick<Test, 'teardown'>,
  { folder, processes, nextRelease, envOf = () => ({}), clockFiles = new Map() }: ClusterOptions,
): Promise<Cluster> {
  const [postgres, redis, swift] = await Promise.all([
    PostgresServer.start(t as Test, { fsync: true }),
    startRedis(t as Test),
    startSwift(t),
  ])
  await createBucket(swift)
  const importSources = [folderSource(join(folder, 'archive')), await bucketSource(swift)]
  const flags = ['--threads', '1', '--log-level', 'warn', '--config', writeSettings(folder, importSources)]
  const env = {
    ...secrets,
    ...swift.env,
    STEWARD_SERVE_STORE: postgres.address(),
    STEWARD_SERVE_BLOBS: documentsAddress(swift),
    STEWARD_SERVE_REDIS: redis.address,
  }
  const servers: ServerProcess[] = []
  for (let index = 0; index < processes; index++) {
    const name = `server-${index}`
    const clockFile = clockFiles.get(index)
    servers.push(
      new ServerProcess({
        ...{ name, port: await freePort(), folder: join(folder, name), flags },
        env: { ...env, ...envOf(index) },
        ...(clockFile === undefined ? {} : { clockFile }),
      }),
    )
  }
  const end = async () => {
    await Promise.all(servers.map((server) => server.end('SIGKILL')))
  }
  t.teardown(end)
  await Promise.all(servers.map((server) => server.start()))
  const port = await freePort()
  const nginx = await startNginx(join(folder, 'nginx'), port, servers)
  t.teardown(() => nginx.kill('SIGTERM'))
  return {
    url: `http://127.0.0.1:${port}`,
    apiToken: secrets.STEWARD_API_TOKEN,
    servers,
    postgres,
    redis,
    swift,
    importSources,
    ...(nextRelease === undefined ? {} : { nextRelease }),
    folder,
    end,
  }
}

/** Registers the connections. Returns the path of the settings. */
function writeSettings(folder: string, sources: readonly ImportSource[]): string {
  const path = join(folder, 'settings.json')
  const connections = Object.fromEntries(sources.map(({ connectionId, settings }) => [connectionId, settings]))
  writeFileSync(path, JSON.stringify({ connections })) // JSON is YAML.
  return path
}

/** Address of the files of documents, for `--blobs`. */
export const documentsAddress = ({ endpoint }: Swift): string =>
  `s3://steward/documents?endpoint=${encodeURIComponent(endpoint)}&region=us-east-1&pathStyle=true`

export async function createBucket({ endpoint }: Swift): Promise<void> {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: 'steward' }))
  client.destroy()
}
