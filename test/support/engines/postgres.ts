// PostgreSQL server of a test: a cluster of its own in a temporary folder, on a free port of this machine.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Test } from 'tap'
import type { Certificate } from '../certificate.js'
import { freePort } from '../free-port.js'

const versions = '/usr/lib/postgresql'
const programs = existsSync(versions)
  ? readdirSync(versions)
      .map((version) => join(versions, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined

/** `t.test(title, needsPostgres, …)`; also for `{ skip }` of a whole file. */
export const needsPostgres: { readonly skip: string | false } = {
  skip: programs === undefined && 'apt-get install -y postgresql',
}

export interface PostgresOptions {
  /** False where no crash is tested. */
  readonly fsync?: boolean
  /** Certificate for TLS. */
  readonly certificate?: Certificate
}

export class PostgresServer {
  private process: ChildProcess | undefined

  private constructor(
    private readonly folder: string,
    readonly port: number,
    private readonly options: PostgresOptions,
  ) {}

  /** Starts a server, which ends with the test. The database `postgres` belongs to the user `postgres`. */
  static async start(t: Test, options: PostgresOptions = {}): Promise<PostgresServer> {
    const folder = mkdtempSync('/tmp/steward-postgres-')
    if (owner) chownSync(folder, owner.uid, owner.gid)
    const server = new PostgresServer(folder, await freePort(), options)
    t.teardown(async () => {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    const passwordFile = server.write('password', password)
    if (options.certificate) {
      server.write('cert.pem', options.certificate.cert)
      server.write('key.pem', options.certificate.key)
    }
    const data = join(folder, 'data')
    const made = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync']
    execFileSync(program('initdb'), [...made, '-E', 'UTF8', '--locale=C'], { ...asOwner, stdio: 'ignore' })
    await server.run()
    return server
  }

  /** Address of a store in a schema of its own. */
  address(schema = 'steward', { user = `postgres:${password}`, database = 'postgres', more = '' } = {}): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}?schema=${schema}${more}`
  }

  /** Runs statements as the administrator. */
  async sql(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client(this.connection)
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  /** Starts the server, again after `kill`, and waits until it accepts connections. */
  async run(): Promise<void> {
    const { fsync = false, certificate } = this.options
    const settings = {
      listen_addresses: '127.0.0.1',
      port: this.port,
      unix_socket_directories: '',
      shared_buffers: '16MB',
      max_connections: 60,
      fsync: fsync ? 'on' : 'off',
      ...(certificate ? { ssl: 'on', ssl_cert_file: this.file('cert.pem'), ssl_key_file: this.file('key.pem') } : {}),
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const data = join(this.folder, 'data')
    // After a crash the file of the process before is in the way only while its number is in use.
    this.process = spawn(program('postgres'), ['-D', data, ...flags], { ...asOwner, stdio: 'ignore' })
    await this.untilReady()
  }

  /** Ends the server and all its processes at once, as a power failure does. */
  async kill(): Promise<void> {
    const { process } = this
    if (process?.exitCode !== null || process.signalCode !== null) return
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(process.pid)]).stdout.toString()
    const closed = once(process, 'close')
    process.kill('SIGKILL')
    for (const pid of children.split(/\s+/).filter(Boolean)) {
      try {
        globalThis.process.kill(Number(pid), 'SIGKILL')
      } catch {} // It ended by itself.
    }
    await closed
  }

  private file(name: string): string {
    return join(this.folder, name)
  }

  private write(name: string, text: string): string {
    writeFileSync(this.file(name), text, { mode: 0o600 })
    if (owner) chownSync(this.file(name), owner.uid, owner.gid)
    return this.file(name)
  }

  private get connection() {
    return { host: '127.0.0.1', port: this.port, user: 'postgres', password, database: 'postgres' }
  }

  private async untilReady(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.sql('select 1')
        return
      } catch (error) {
        if (attempt > 600 || this.process?.exitCode !== null) throw error
        await setTimeout(50)
      }
    }
  }
}

const password = 'correct-horse'

/** PostgreSQL refuses to run as root. */
const owner = process.getuid?.() === 0 ? ownerOf('postgres') : undefined
const asOwner = { ...(owner ? { uid: owner.uid, gid: owner.gid } : {}), cwd: '/' }

function ownerOf(user: string): { readonly uid: number; readonly gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, user]).stdout.toString()))
  return uid && gid ? { uid, gid } : undefined
}

function program(name: string): string {
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  return join(programs, name)
}
