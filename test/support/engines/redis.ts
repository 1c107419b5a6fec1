// A Redis of its own for a test: on a free port, in a folder under /tmp, without persistence.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { freePort } from '../free-port.js'

/** `t.test(title, needsRedis(), …)` */
export const needsRedis = (): { readonly skip: string | false } => ({
  skip: spawnSync('redis-server', ['--version']).error !== undefined && 'apt-get install -y redis-server',
})

export interface RedisServer {
  readonly port: number
  readonly address: string
  /** Client for what a test does to the server. */
  readonly admin: Redis
  stop(): Promise<void>
  /** Starts the server again on the same port, empty. */
  start(): Promise<void>
}

export async function startRedis(t: Test, settings: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(join('/tmp', 'steward-redis-'))
  const port = await freePort()
  const address = `redis://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const admin = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 20, maxRetriesPerRequest: null })
  admin.on('error', () => {}) // The server is down at times.
  const start = async () => {
    const given = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    child = spawn('redis-server', [...given, '--enable-debug-command', 'local', ...settings], { stdio: 'ignore' })
    await admin.ping()
  }
  const stop = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  t.teardown(async () => {
    admin.disconnect()
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return { port, address, admin, start, stop }
}
