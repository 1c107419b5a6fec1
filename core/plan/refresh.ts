// Refresh: finds the current objects of the rows in scope. A list is a cheap proof that an object is unchanged; only a
// read proves that it is gone.

import { walk } from '../graph/walk.js'
import { ApiFailure, isFailure } from '../plugin/failure.js'
import type { Call, Handler, Remote } from '../plugin/handler.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import { parseAddress } from '../value/address.js'
import type { Connections } from './connections.js'
import { type Observation, type ObservedPart, partsByKey, present } from './observation.js'
import type { RefreshProgress } from './options.js'

/**
 * Minimum number of rows of a kind for which a list is requested, because it may have many pages of objects of others.
 */
const rowsWorthAList = 3
/** Maximum number of listed objects for each row that is searched for. */
const listedPerRowMax = 10
const listedExtraMax = 1_000

export interface RefreshOptions {
  readonly connections: Connections
  readonly parallelism: number
  readonly signal: AbortSignal
  readonly onRefresh?: ((progress: RefreshProgress) => void) | undefined
  /** True if the listed object has exactly the leaves that the row recorded. */
  isUnchanged(address: Address, row: Row, found: Observation): Promise<boolean>
}

export interface RefreshResult {
  readonly found: ReadonlyMap<Address, Observation>
  readonly failures: ReadonlyMap<Address, unknown>
}

export async function refresh(rows: ReadonlyMap<Address, Row>, options: RefreshOptions): Promise<RefreshResult> {
  const found = new Map<Address, Observation>()
  const failures = new Map<Address, unknown>()
  const report = () => options.onRefresh?.({ done: found.size + failures.size, total: known.length })
  const known = [...rows].filter((entry): entry is [Address, Row & { id: string }] => entry[1].id !== null)

  await Promise.all(
    [...groupsOf(known, options.connections)].map(async ({ handler, provider, members }) => {
      if (!handler.list || !handler.listIsComplete || handler.parts || members.length < rowsWorthAList) return
      const call = options.connections.call(provider, options.signal)
      try {
        for await (const [address, row, remote] of listedObjects(handler, call, members)) {
          const observation = present(handler, row.id, remote)
          if (await options.isUnchanged(address, row, observation)) {
            found.set(address, observation)
            report()
          }
        }
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.class === 'denied') throw error // Reads would be refused as well.
      }
    }),
  ).catch((error: unknown) => {
    for (const [address] of known) if (!found.has(address)) failures.set(address, error)
  })

  const toRead = known.filter(([address]) => !found.has(address) && !failures.has(address))
  await walk(new Map(toRead.map(([address]) => [address, { after: [], group: parseAddress(address).provider }])), {
    limit: () => options.parallelism,
    signal: options.signal,
    run: async (address) => {
      const row = rows.get(address)
      const { provider, kind } = parseAddress(address)
      try {
        const handler = options.connections.handler(provider, kind, row?.api)
        found.set(
          address,
          await observe(handler, options.connections.call(provider, options.signal), row?.id ?? '', row?.parts),
        )
        return 'done'
      } catch (error) {
        failures.set(address, error)
        return 'failed'
      } finally {
        report()
      }
    },
  })
  return { found, failures }
}

/** Reads one object and its parts. `recorded`: ids of the parts by key, as its row has them. */
export async function observe(
  handler: Handler,
  call: Call<unknown>,
  id: string,
  recorded?: Row['parts'],
): Promise<Observation> {
  try {
    const remote = await handler.read(call, id)
    if (handler.isGone?.(remote)) return { type: 'gone' }
    return present(handler, id, remote, await observeParts(handler, call, id, recorded))
  } catch (error) {
    if (isFailure(error, 'gone')) return { type: 'gone' }
    throw error
  }
}

async function observeParts(
  handler: Handler,
  call: Call<unknown>,
  id: string,
  recorded: Row['parts'],
): Promise<ReadonlyMap<string, ObservedPart>> {
  const { parts } = handler
  if (!parts) return new Map()
  const listed = await partsByKey(parts, parts.list(call, id), recorded)
  return new Map(
    [...listed].map(([key, remote]) => [key, { id: parts.id(remote), remote, tree: parts.observed(remote) }]),
  )
}

interface Group {
  readonly handler: Handler
  readonly provider: string
  readonly members: [Address, Row & { id: string }][]
}

function groupsOf(rows: readonly [Address, Row & { id: string }][], connections: Connections): Iterable<Group> {
  const groups = new Map<string, Group>()
  for (const [address, row] of rows) {
    const { provider, kind } = parseAddress(address)
    const key = `${provider} ${kind} ${row.api ?? ''}`
    const group = groups.get(key) ?? { handler: connections.handler(provider, kind, row.api), provider, members: [] }
    group.members.push([address, row])
    groups.set(key, group)
  }
  return groups.values()
}

/** Yields the objects of these rows from a list, and stops as soon as all were found. */
async function* listedObjects(
  handler: Handler,
  call: Call<unknown>,
  members: Group['members'],
): AsyncGenerator<[...Group['members'][number], Remote]> {
  const wanted = new Map(members.map((member) => [member[1].id, member]))
  let budget = members.length * listedPerRowMax + listedExtraMax
  for await (const remote of handler.list?.(call) ?? []) {
    const { id } = handler.outputs(remote)
    const member = wanted.get(id)
    if (member && !handler.isGone?.(remote)) yield [...member, remote]
    wanted.delete(id)
    if (wanted.size === 0 || --budget === 0) return
  }
}
