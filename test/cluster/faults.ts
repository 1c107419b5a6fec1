// What happens to a cluster during a run. Each fault begins, lasts, and is repaired; nothing else brings the servers back.
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.js'
import type { ServerProcess } from './processes.js'

export interface FaultContext {
  readonly cluster: Cluster
  /** Server that the fault concerns, where it concerns one. */
  readonly server: ServerProcess
  /** Duration of the fault in seconds. */
  readonly seconds: number
}

export type Fault = (context: FaultContext) => Promise<void>

const pause = (seconds: number) => sleep(seconds * 1000)

export const faults: Readonly<Record<string, Fault>> = {
  /** A process ends at once, as by the kernel, and is started again. */
  async kill({ server }) {
    await server.end('SIGKILL')
    await pause(1)
    await server.start()
  },
  /** A process stands still, and goes on as if no time had passed. */
  async stop({ server, seconds }) {
    server.signal('SIGSTOP')
    await pause(seconds)
    server.signal('SIGCONT')
  },
  /** A process is replaced as in a rolling upgrade. */
  async replace({ server }) {
    await server.end('SIGTERM')
    await server.start()
  },
  async redis({ cluster, seconds }) {
    await cluster.redis.stop()
    await pause(seconds)
    await cluster.redis.start()
  },
  async postgres({ cluster, seconds }) {
    await cluster.postgres.kill()
    await pause(seconds)
    await cluster.postgres.run()
  },
  async 'object-store'({ cluster, seconds }) {
    await cluster.swift.pause()
    await pause(seconds)
    await cluster.swift.resume()
  },
  /** The disk of a process is full; only on a disk of its own, so that nothing else is harmed. */
  async disk({ server, seconds }) {
    const path = join(server.options.folder, 'data', 'filler')
    const { bavail, bsize } = statfsSync(join(server.options.folder, 'data'))
    if (bavail * bsize > 1024 ** 3) return
    writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - 65_536)))
    await pause(seconds)
    rmSync(path, { force: true })
  },
  /** The clock of a process is an hour ahead, then an hour behind. */
  async clock({ server, seconds }) {
    const { clockFile } = server.options
    if (clockFile === undefined) return
    for (const offset of ['+1h', '-1h', '+0']) {
      writeFileSync(clockFile, `${offset}\n`)
      await pause(seconds / 3)
    }
  },
}
