// Describes the run that holds the lock of a state: the content of the lock file, whether the run is alive, and a
// message.

import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Problem } from '../diagnostic.js'
import type { Clock } from '../ports/clock.js'
import { type Disk, hasCode } from '../ports/disk.js'
import type { Host } from '../ports/host.js'
import type { Random } from '../ports/random.js'
import { problem } from '../problems/index.js'

const Holder = Type.Object({
  /** Id of this acquisition of the lock. */
  nonce: Type.String(),
  pid: Type.Integer(),
  /** Start of the process, see `Host.processStart`. */
  start: Type.String(),
  host: Type.String(),
  command: Type.String(),
  /** Time of the acquisition, ISO 8601 in UTC. */
  since: Type.String(),
})
export type Holder = Static<typeof Holder>

export interface HolderPorts {
  readonly host: Host
  readonly clock: Clock
  readonly random: Random
  /** Name of the command, shown to other processes that wait: `agents apply`. */
  readonly command: string
}

export async function describeHolder({ host, clock, random, command }: HolderPorts): Promise<Holder> {
  return {
    nonce: random.uuid(),
    pid: host.pid,
    start: (await host.processStart(host.pid)) ?? '',
    host: host.name,
    command,
    since: new Date(clock.now()).toISOString(),
  }
}

/** True only if it is certain that the holder is dead. A process on another host cannot be checked. */
export async function isDead(holder: Holder, host: Host): Promise<boolean> {
  if (holder.host !== host.name) return false
  const start = await host.processStart(holder.pid)
  if (start === null) return true
  const isKnown = start !== '' && holder.start !== ''
  return isKnown && start !== holder.start // The system has given the pid to another process since.
}

/** Reads the holder of the lock; undefined if there is no lock, and `unreadable` if the file names no holder. */
export async function readHolder(disk: Disk, path: string): Promise<Holder | 'unreadable' | undefined> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await disk.read(path)))
    return Check(Holder, value) ? value : 'unreadable'
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    if (error instanceof SyntaxError) return 'unreadable' // The file was cut off, on a disk without hard links.
    throw error
  }
}

export function encodeHolder(holder: Holder): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(holder)}\n`)
}

export function lockedBy(path: string, holder: Holder, host: Host): Problem {
  const isElsewhere = holder.host !== host.name
  const doubt = isElsewhere ? '; from here it cannot be seen whether it still runs' : ''
  return problem('state.locked', {
    detail: `${who(holder)} has held it since ${holder.since}${doubt}. Two runs at once would lose each other's objects. The file is ${path}.`,
    fix: isElsewhere
      ? 'Wait until it has ended. If you are certain that it has, run "agents state unlock".'
      : 'Wait until it has ended, or stop it; "agents state unlock" is for holders that are gone.',
  })
}

export function stillRunning(holder: Holder): Problem {
  return problem('state.lock-in-use', {
    detail: `${who(holder)} has held it since ${holder.since} and is running. Without its lock, two runs could lose each other's objects.`,
    fix: `Wait until it has ended, or stop it with "kill -INT ${holder.pid}": it then records what is in flight and releases the lock.`,
  })
}

export function unreadableLock(path: string): Problem {
  return problem('state.locked', {
    summary: 'The lock of the state cannot be read',
    detail: `${path} does not name the run that holds it, so whether that run has ended is unknown.`,
    fix: 'Make sure that no other run is in progress here, then run "agents state unlock".',
  })
}

export function contested(path: string, attempts: number): Problem {
  return problem('state.locked', {
    summary: 'Too many runs compete for the state',
    detail: `${path} was acquired by another run at each of ${attempts} attempts.`,
    fix: 'Run the command again when the others have ended.',
  })
}

export function who({ command, pid, host }: Holder): string {
  return `"${command}" (process ${pid} on ${host})`
}
