// Refuses objects that already belong to somebody: that are bound to an address, wait there to be removed, or are
// referred to by id.

import type { Problem } from '../diagnostic.js'
import type { Mark } from '../plan/marks.js'
import type { EngineOptions } from '../plan/options.js'
import { problem } from '../problems/index.js'
import type { Neighbours } from '../state/neighbours.js'
import type { Row } from '../state/row.js'
import { type Address, formatAddress, parseAddress } from '../value/address.js'
import { shellWord } from '../value/shell-word.js'

export interface Binding {
  readonly address: Address
  readonly id: string
  /** Projects from which the object may be taken over, if its mark names one of them. */
  readonly take?: readonly string[]
}

export function refuseBound(
  { project, registry }: EngineOptions,
  rows: ReadonlyMap<Address, Row>,
  { address, id, take = [] }: Binding,
): void {
  const current = rows.get(address)
  // An object that another project took over is bound here still, and may be taken back.
  if (current && (current.id !== id || take.length === 0)) throw addressTaken(address, current)
  const { provider, kind } = parseAddress(address)
  for (const [other, row] of rows) {
    if (!other.startsWith(`${provider}.${kind}.`)) continue
    if (row.id === id && other !== address)
      throw idTaken({ address, id }, other, row.ownership === 'external' ? externalNote : '')
    if (row.deposed?.some((old) => old.id === id)) throw idTaken({ address, id }, other, replacedNote)
  }
  for (const { name, body, providers } of project.ofKind(kind)) {
    const other = formatAddress({ provider, kind, name })
    const isReferred = providers.names.includes(provider) && registry.kinds.get(kind)?.external?.(body) === id
    if (isReferred) throw idTaken({ address, id }, other, externalNote)
  }
}

/** Refuses an object that another project file of the folder manages. */
export function refuseNeighbouring(neighbours: Neighbours, { address, id }: Binding): void {
  const { provider, kind } = parseAddress(address)
  const current = neighbours.get(`${provider} ${kind} ${id}`)
  if (current === undefined) return
  throw problem('import.id-taken', {
    address,
    detail: `${id} is bound to ${current.address} of ${current.file}, which is in the same folder.`,
    fix: `Release it there first: agents state rm ${shellWord(current.address)} --config ${shellWord(current.file)}. Then take it over: agents import ${shellWord(address)} ${shellWord(id)} --take ${shellWord(current.project)}`,
  })
}

/** Refuses an object with the mark of another project, unless the binding names that project. */
export function refuseMarked(mark: Mark | undefined, projectName: string, { address, id, take = [] }: Binding): void {
  if (mark === undefined || mark.project === projectName || take.includes(mark.project)) return
  const { provider, kind } = parseAddress(address)
  const there = mark.name === undefined ? '' : ` (${formatAddress({ provider, kind, name: mark.name })} there)`
  throw problem('import.other-project', {
    address,
    detail: `${id} carries the mark of the project "${mark.project}"${there}. Nothing was changed.`,
    fix: `Leave it to that project; or release it there with "agents state rm", then take it over: agents import ${shellWord(address)} ${shellWord(id)} --take ${shellWord(mark.project)}`,
  })
}

const replacedNote = ', which has replaced it and will remove it'
const externalNote = ', which only refers to it'

function addressTaken(address: Address, { id }: Row): Problem {
  return problem('import.address-taken', {
    address,
    detail: `${address} is bound to ${id ?? 'an object that is being created'}.`,
    fix: `Release it first: agents state rm ${address}`,
  })
}

function idTaken({ address, id }: Binding, other: Address, how: string): Problem {
  return problem('import.id-taken', {
    address,
    detail: `${id} is bound to ${other}${how}.`,
    fix:
      other === address
        ? 'Take the id out of the declaration first.'
        : `Use ${other}, or rename it with "agents state mv ${other} ${address}".`,
  })
}
