// What happens to a cluster during a run. Each fault begins, lasts, and is repaired; nothing else brings the servers back.
import { execFile } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
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
  /**
   * All processes are replaced by those of the next release, one of them with a step back in between, and the format of rows
   * is raised. It happens once.
   */
  async upgrade({ cluster: { servers, nextRelease, postgres }, server }) {
    if (nextRelease === undefined) throw new Error('There is no next release')
    const { program } = server
    const replace = async (one: ServerProcess, by: string) => {
      await one.end('SIGTERM')
      one.program = by
      await one.start()
      await pause(1)
    }
    for (const one of servers) {
      await replace(one, nextRelease)
      if (one !== server) continue
      await replace(one, program)
      await replace(one, nextRelease)
    }
    const words = ['store', 'upgrade', '--store', postgres.address(), '--json']
    const { stdout } = await promisify(execFile)(process.execPath, [nextRelease, ...words])
    if (!stdout.includes('"to":2')) throw new Error(`The format was not raised: ${stdout}`)
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
  /** The disk of a process is full. */
  async disk({ server, seconds }) {
    const path = join(server.options.folder, 'data', 'filler')
    const { bavail, bsize } = statfsSync(join(server.options.folder, 'data'))
    writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - 65_536)))
    await pause(seconds)
    rmSync(path, { force: true })
  },
  /** The clock of a process is an hour ahead, then an hour behind. */
  async clock({ server, seconds }) {
    const { clockFile } = server.options
    if (clockFile === undefined) throw new Error(`The clock of ${server.options.name} cannot be moved`)
    for (const offset of ['+1h', '-1h', '+0']) {
      writeFileSync(clockFile, `${offset}\n`)
      await pause(seconds / 3)
    }
  },
}

/** Size above which a disk is not filled: it is not one of the process alone. */
const ownDiskBytesMax = 1024 ** 3

/** Returns whether a fault can happen to a server; not every machine has small disks and movable clocks for them. */
export function canHappenTo(name: string, { options, program }: ServerProcess, { nextRelease }: Cluster): boolean {
  if (name === 'upgrade') return nextRelease !== undefined && program !== nextRelease
  if (name === 'clock') return options.clockFile !== undefined
  if (name !== 'disk') return true
  const { blocks, bsize } = statfsSync(join(options.folder, 'data'))
  return blocks * bsize < ownDiskBytesMax
}
