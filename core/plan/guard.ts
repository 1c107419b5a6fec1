// Stops a plan that would recreate or delete everything because it looks at the wrong account.

import type { Diagnostic } from '../diagnostic.js'
import { type Address, parseAddress } from '../graph/address.js'
import { diagnostic } from '../problems/index.js'
import type { Row } from '../state/row.js'
import type { Connections } from './connections.js'
import type { Observation } from './observation.js'

/** Fewer objects than this may well have been removed by hand. */
const vanishedMin = 3

/** State was made with another account or workspace than the one that calls would reach now. */
export function guardAccounts(
  providers: Iterable<string>,
  fingerprints: Readonly<Record<string, string>>,
  connections: Connections,
): readonly Diagnostic[] {
  return [...providers].flatMap((provider): readonly Diagnostic[] => {
    const recorded = fingerprints[provider]
    const present = connections.fingerprint(provider)
    if (recorded === undefined || recorded === present) return []
    const { host, workspace } = connections.identity(provider)
    const isEmulated = recorded === 'emulator' || present === 'emulator'
    return [
      diagnostic('plan.other-account', {
        detail: isEmulated
          ? `The resources on ${provider} in state were made ${recorded === 'emulator' ? 'with the emulator, and this run would reach the real service' : 'on the real service, and this run would reach the emulator'}.`
          : `The resources on ${provider} in state were made with another address or workspace than ${host}${workspace ? ` (${workspace})` : ''}.`,
        fix: isEmulated
          ? 'Use one folder for trying things and another for real, or set or unset STEWARD_EMULATOR.'
          : `Check providers.${provider}. To leave the old objects behind and make new ones, use --recreate ${provider}.`,
      }),
    ]
  })
}

/** Every object of a provider is gone at once, and not because an interrupted run was removing them. */
export function guardVanished(
  rows: ReadonlyMap<Address, Row>,
  found: ReadonlyMap<Address, Observation>,
  recreate: readonly string[],
): readonly Diagnostic[] {
  const counts = new Map<string, { all: number; gone: number }>()
  for (const [address, row] of rows) {
    if (row.id === null || row.operation?.type === 'removal') continue
    const { provider } = parseAddress(address)
    const count = counts.get(provider) ?? { all: 0, gone: 0 }
    count.all++
    if (found.get(address)?.type === 'gone') count.gone++
    counts.set(provider, count)
  }
  return [...counts].flatMap(([provider, { all, gone }]): readonly Diagnostic[] => {
    if (gone < all || all < vanishedMin || recreate.includes(provider)) return []
    return [
      diagnostic('plan.all-gone', {
        detail: `None of the ${all} resources that state holds on ${provider} exists there. That usually means another account, project or workspace.`,
        fix: `Check the key under providers.${provider}. If they were really removed, use --recreate ${provider}.`,
      }),
    ]
  })
}
