// Stops a plan that would recreate or delete everything because its calls would reach the wrong account.

import { type Diagnostic, hasErrors, Problem } from '../diagnostic.js'
import { diagnostic } from '../problems/index.js'
import type { LeafHasher } from '../state/hashes.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { isPlainHttp } from '../value/plain-http.js'
import { accountOf, parseAccount } from './account.js'
import { type Connections, emulated } from './connections.js'

/**
 * Minimum number of vanished objects that is suspicious. With an unchanged API key, fewer may have been removed by
 * hand.
 */
const vanishedMin = 3

/** Accounts recorded in state. */
export interface RecordedAccounts {
  /** Fingerprints of accounts by provider, see `formatAccount`. */
  readonly fingerprints: Readonly<Record<string, string>>
  readonly rows: ReadonlyMap<Address, Row>
}

/** Stops a plan whose state was made with another account or workspace than calls would reach now. */
export function guardAccounts(
  providers: Iterable<string>,
  recorded: RecordedAccounts,
  connections: Connections,
): readonly Diagnostic[] {
  const bound = providersOf(recorded.rows)
  return [...providers].flatMap((provider): readonly Diagnostic[] => {
    const before = fingerprintOf(recorded, provider)
    if (before === undefined || before === connections.fingerprint(provider) || !bound.has(provider)) return []
    return [diagnostic('plan.other-account', otherAccount(provider, before, connections))]
  })
}

/** Throws if state belongs to another account, where its ids mean nothing. */
export function refuseOtherAccounts(
  providers: Iterable<string>,
  recorded: RecordedAccounts,
  connections: Connections,
): void {
  const found = guardAccounts(providers, recorded, connections)
  if (hasErrors(found)) throw new Problem(found)
}

function otherAccount(provider: string, before: string, connections: Connections) {
  const { host, workspace } = connections.identity(provider)
  const start = `The resources on ${provider} in state were made`
  if (before === emulated) {
    return {
      detail: `${start} with the emulator, and this run would reach the real service, which has none of them.`,
      fix: `To leave the emulator behind and create them on the real service, add --recreate ${provider}, to "agents plan" and then to "agents apply".`,
    }
  }
  if (connections.isEmulated) {
    return {
      detail: `${start} on the real service, and this run would reach the emulator, which has none of them.`,
      fix: 'Unset STEWARD_EMULATOR; to try things next to the real service, use a copy of the project file under another name: it has a state of its own.',
    }
  }
  return {
    detail: `${start} with another address or workspace than ${host}${workspace ? ` (${workspace})` : ''}.`,
    fix: `Check providers.${provider}. To leave the old objects behind and create new ones, use --recreate ${provider}.`,
  }
}

/** Warns of addresses over plain HTTP, where API keys and secrets travel unencrypted. */
export function warnOfPlainHttp(providers: Iterable<string>, connections: Connections): readonly Diagnostic[] {
  return [...providers].flatMap((provider): readonly Diagnostic[] => {
    const { host } = connections.identity(provider)
    if (!isPlainHttp(host)) return []
    return [diagnostic('plan.plain-http', { detail: `${provider} is reached at ${host}.` })]
  })
}

/** Returns the providers whose rows belong to an emulator although calls go to the real service, or the reverse. */
export function providersElsewhere(recorded: RecordedAccounts, connections: Connections): ReadonlySet<string> {
  const isElsewhere = (provider: string) => {
    const before = fingerprintOf(recorded, provider)
    return before !== undefined && (before === emulated) !== connections.isEmulated
  }
  return new Set([...providersOf(recorded.rows)].filter(isElsewhere))
}

export interface VanishedRequest {
  /** Rows in scope. */
  readonly rows: ReadonlyMap<Address, Row>
  isGone(address: Address): boolean
  readonly recreate: readonly string[]
  readonly recorded: RecordedAccounts
  readonly connections: Connections
  readonly hasher: LeafHasher
}

/**
 * Stops a plan or a sync if all objects of a provider are gone at once, unless an interrupted run was removing them.
 */
export async function guardVanished(request: VanishedRequest): Promise<readonly Diagnostic[]> {
  const { rows, recreate, connections } = request
  const counts = new Map<string, { all: number; gone: number }>()
  for (const [address, row] of rows) {
    if (row.id === null || row.ownership === 'external' || row.operation?.type === 'removal') continue
    const { provider } = parseAddress(address)
    const count = counts.get(provider) ?? { all: 0, gone: 0 }
    count.all++
    if (request.isGone(address)) count.gone++
    counts.set(provider, count)
  }
  const vanished = [...counts].filter(([provider, { all, gone }]) => gone === all && !recreate.includes(provider))
  const findings = vanished.map(async ([provider, { all }]): Promise<readonly Diagnostic[]> => {
    if (connections.isEmulated) return [forgotten(provider, all)]
    const isOther = await hasOtherKey(request, provider)
    return isOther || all >= vanishedMin ? [allGone(provider, all, isOther)] : []
  })
  return (await Promise.all(findings)).flat()
}

async function hasOtherKey({ recorded, connections, hasher }: VanishedRequest, provider: string): Promise<boolean> {
  const before = recorded.fingerprints[provider]
  const key = before === undefined ? undefined : parseAccount(before).key
  return key !== undefined && key !== (await accountOf(connections, provider, hasher)).key
}

function allGone(provider: string, count: number, isOtherKey: boolean): Diagnostic {
  const key = isOtherKey ? ', and the key is not the one they were last applied with' : ''
  return diagnostic('plan.all-gone', {
    detail: `${noneOf(provider, count)} exists there${key}. That usually means another account, project or workspace.`,
    fix: `Check the key under providers.${provider}. If they were really removed, "agents apply --recreate ${provider}" creates them again.`,
  })
}

/**
 * Warning that the objects of an emulator are created again. Unlike those of a service they contain nothing of value.
 */
function forgotten(provider: string, count: number): Diagnostic {
  const isFew = count < vanishedMin
  return diagnostic(isFew ? 'plan.emulator-forgot' : 'plan.all-gone', {
    detail: `${noneOf(provider, count)} exists in this emulator. An emulator forgets everything when it ends.`,
    fix: `${isFew ? 'An apply creates them again.' : `To create them again, use "agents apply --recreate ${provider}".`} "agents emulate --data FOLDER" stores them between runs of the emulator.`,
  })
}

function noneOf(provider: string, count: number): string {
  return `None of the ${count} resources that state holds on ${provider}`
}

function fingerprintOf({ fingerprints }: RecordedAccounts, provider: string): string | undefined {
  const recorded = fingerprints[provider]
  return recorded === undefined ? undefined : parseAccount(recorded).fingerprint
}

function providersOf(rows: ReadonlyMap<Address, Row>): ReadonlySet<string> {
  return new Set([...rows.keys()].map((address) => parseAddress(address).provider))
}
