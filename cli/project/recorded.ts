// Opens the state for the `state` commands. They need no valid project file: its path determines the state file.

import { resolve } from 'node:path'
import { systemClock } from '../../core/ports/clock.js'
import { nodeDisk } from '../../core/ports/node-disk.js'
import { nodeHost } from '../../core/ports/node-host.js'
import { systemRandom } from '../../core/ports/random.js'
import { problem } from '../../core/problems/index.js'
import { type Home, homeOf } from '../../core/state/home.js'
import type { Row } from '../../core/state/row.js'
import { openForWriting, openState, type State } from '../../core/state/store.js'
import type { StateWriter } from '../../core/state/writer.js'
import { namesAddress, nearestAddress } from '../../core/value/address.js'
import type { EngineCommand } from './engine-command.js'

export const statePorts = { disk: nodeDisk, clock: systemClock, random: systemRandom, host: nodeHost } as const

export function stateHome({ context, config }: EngineCommand): Home {
  return homeOf({ file: resolve(context.workingFolder, config) })
}

/** Writes nothing; the journal of an interrupted run is taken into account. */
export async function readState(command: EngineCommand): Promise<State> {
  const state = await openState(openOptions(command))
  command.output.report(state.notes)
  return state
}

/** Runs the work while holding the lock. Its changes are durable when the promise resolves. */
export async function changeState<Result>(
  command: EngineCommand,
  work: (state: StateWriter) => Promise<Result>,
): Promise<Result> {
  const state = await openForWriting({
    ...openOptions(command),
    ...statePorts,
    command: `agents ${command.path.join(' ')}`,
  })
  try {
    return await work(state)
  } finally {
    await state.close()
  }
}

/** Accepts another project name, because only rows that the user names are changed. */
function openOptions(command: EngineCommand) {
  return { ...statePorts, ...stateHome(command), acceptsOtherProject: true }
}

/** Returns the recorded address that a text identifies; the provider may be omitted if that is unambiguous. */
export function recordedAddress(rows: ReadonlyMap<string, Row>, written: string): string {
  const found = [...rows.keys()].filter((address) => namesAddress(written, address))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  if (found.length > 1) {
    throw problem('state.ambiguous-address', { detail: `"${written}" is recorded as ${found.join(' and ')}.` })
  }
  const near = nearestAddress(written, rows.keys())
  throw problem('state.unknown-address', {
    detail: `"${written}" is not recorded.`,
    fix: near === undefined ? 'See "agents state list".' : `Did you mean "${near}"?`,
  })
}
