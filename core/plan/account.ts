// Identifies the account that state belongs to by the address of calls and a hash of their credentials.
import type { LeafHasher } from '../state/hashes.js'
import { canonical } from '../value/tree.js'
import type { Connections } from './connections.js'

export interface Account {
  /** See `Connections.fingerprint`. */
  readonly fingerprint: string
  /**
   * Keyed hash of the configuration, because another API key may belong to another account. Absent for the emulator.
   */
  readonly key?: string
}

export async function accountOf(connections: Connections, provider: string, hasher: LeafHasher): Promise<Account> {
  const fingerprint = connections.fingerprint(provider)
  if (connections.isEmulated) return { fingerprint }
  const configuration = connections.configuration(provider)
  const key = await hasher.keyed(configuration, { unordered: false, secrets: [canonical(configuration)] })
  return { fingerprint, key }
}

export function formatAccount({ fingerprint, key }: Account): string {
  return key === undefined ? fingerprint : `${fingerprint} ${key}`
}

export function parseAccount(recorded: string): Account {
  const [fingerprint = '', key] = recorded.split(' ')
  return { fingerprint, ...(key === undefined ? {} : { key }) }
}
