// First phase of sync: reads the objects at the providers, their names in agents.yaml, and their rows in state.
import { type Diagnostic, hasErrors, Problem } from '../diagnostic.js'
import { guardVanished, refuseOtherAccounts } from '../plan/guard.js'
import { namedObjects, type ObjectOfAnother } from '../plan/marks.js'
import { diagnostic } from '../problems/index.js'
import { createHasher } from '../state/hashes.js'
import { type Neighbours, neighbouringObjects } from '../state/neighbours.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { type Discovered, type Discovery, discover } from './discover.js'
import { identify } from './identify.js'
import { nameAll } from './names.js'
import { type Recognition, recognise } from './recognise.js'
import type { SyncRun } from './sync-run.js'
import { onlyOurs, setAsideOthers } from './whose.js'

export interface ObjectsRead {
  readonly names: ReadonlyMap<Discovered, string>
  /** Objects of declarations that no list contains. */
  readonly recognised: readonly Recognition[]
  /** Rows of state, and of recognised objects. */
  readonly rows: ReadonlyMap<Address, Row>
  readonly notes: readonly Diagnostic[]
}

/**
 * Reads the objects. Throws `Problem` if state belongs to another account, whose objects must not be mixed with these.
 */
export async function readObjects(run: SyncRun): Promise<ObjectsRead> {
  const { state, options, connections, providers, signal, mask } = run
  const { project: projectName, rows } = state
  refuseOtherAccounts(providers, recordedIn(run), connections)
  const neighbours = await neighbouringObjects(options)
  const base = { ...options, connections, projectName, rows, neighbours, providers, signal, mask }
  const discovery = await discover(base)
  const vanished = await allVanished(run, discovery)
  if (hasErrors(vanished)) throw new Problem(vanished)
  const { objects, others } = setAsideOthers(discovery.objects, options.take ?? [])
  const identified = await identify({ ...options, projectName, rows }, objects)
  const names = nameAll(options.onlyOwned ? onlyOurs(identified) : identified)
  const recognised = await recognise({ ...base, names })
  return {
    names,
    recognised,
    rows: new Map([...rows, ...recognised.map(({ address, row }) => [address, row] as const)]),
    notes: [...vanished, ...discovery.notes, ...leftToOthers(run, neighbours), ...leftToProjects(others)],
  }
}

/** Reports objects that belong to other project files of the folder, with one note per file. */
function leftToOthers({ providers, state }: SyncRun, neighbours: Neighbours): readonly Diagnostic[] {
  const ours = new Set([...state.rows.values()].map(({ id }) => id))
  const counts = new Map<string, number>()
  for (const { file, address, id } of neighbours.values()) {
    const isLeft = providers.includes(parseAddress(address).provider) && !ours.has(id)
    if (isLeft) counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  return [...counts].map(([file, count]) =>
    diagnostic('sync.other-file', {
      detail: `${file}, which is in the same folder, manages ${count === 1 ? 'one object' : `${count} objects`} there.`,
    }),
  )
}

/** Reports objects that carry the marks of other projects, with one note per project. */
function leftToProjects(others: readonly ObjectOfAnother[]): readonly Diagnostic[] {
  return [...new Set(others.map(({ project }) => project))].map((project) => {
    const objects = others.filter((one) => one.project === project)
    return diagnostic('sync.other-project', {
      detail: `${objects.length === 1 ? 'One object belongs' : `${objects.length} objects belong`} to the project "${project}": ${namedObjects(objects)}.`,
    })
  })
}

const recordedIn = ({ state: { providers, rows } }: SyncRun) => ({ fingerprints: Object.fromEntries(providers), rows })

/** Reports providers whose lists contain none of the objects in state. */
function allVanished(run: SyncRun, { objects }: Discovery): Promise<readonly Diagnostic[]> {
  const { state, options, connections, providers } = run
  const listed = new Set(objects.flatMap(({ address }) => (address === undefined ? [] : [address])))
  const isListed = (address: Address, { api, ownership }: Row) => {
    const { provider, kind } = parseAddress(address)
    if (!providers.includes(provider) || ownership === 'external') return false
    const { list, declare } = connections.handler(provider, kind, api)
    return list !== undefined && declare !== undefined
  }
  return guardVanished({
    rows: new Map([...state.rows].filter(([address, row]) => isListed(address, row))),
    isGone: (address) => !listed.has(address),
    recreate: [],
    recorded: recordedIn(run),
    connections,
    hasher: createHasher({ salt: state.salt, derive: options.derive }),
  })
}
