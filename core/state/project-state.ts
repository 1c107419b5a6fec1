// The state of a project, read as it is or opened under the lock.
import type { Ports } from '../ports/ports.js'
import { type HomeRequest, homeOf } from './home.js'
import {
  type OpenOptions,
  openForWriting,
  openState,
  type State,
  type StateWriter,
  type WriteOptions,
} from './store.js'

export interface StateOwner {
  readonly project: HomeRequest
  readonly ports: Ports
}

/** Initial values of a state that does not exist yet. */
export type InitialState = Pick<OpenOptions, 'initial' | 'beginsAnew'>

/** Reads the current state, with the journal of an interrupted run folded in. Writes nothing. */
export function readState({ project, ports }: StateOwner, begin: InitialState = {}): Promise<State> {
  return openState({ ...stateOptions(project, ports), host: ports.host, ...begin })
}

/** Opens the state under the lock. The caller closes it. */
export function lockState(options: StateOwner, command: string, begin: InitialState = {}): Promise<StateWriter> {
  return openForWriting({ ...writeOptions(options, command), ...begin })
}

export function writeOptions({ project, ports }: StateOwner, command: string): WriteOptions {
  const { host, clock } = ports
  return { ...stateOptions(project, ports), host, clock, command }
}

function stateOptions(project: HomeRequest, { disk, random }: Ports) {
  return { disk, random, ...homeOf(project) }
}
