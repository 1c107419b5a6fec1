// Changes of state by a user: forgetting a resource, and recording a rename. No remote object is changed.

import { problem } from '../problems/index.js'
import { parseAddress } from '../value/address.js'
import type { Row } from './row.js'
import { inputsOf } from './row.js'
import type { StateWriter } from './writer.js'

export interface ForgottenRow {
  readonly address: string
  readonly id: string | null
}

/** Removes rows. The addresses must be recorded. With the last row of a provider, its fingerprint is removed too. */
export async function forgetRows(state: StateWriter, addresses: readonly string[]): Promise<readonly ForgottenRow[]> {
  const forgotten: ForgottenRow[] = []
  for (const address of new Set(addresses)) {
    forgotten.push({ address, id: state.rows.get(address)?.id ?? null })
    await state.delete(address)
    const { provider } = parseAddress(address)
    const isLast = ![...state.rows.keys()].some((other) => parseAddress(other).provider === provider)
    if (isLast && state.providers.has(provider)) await state.setFingerprint(provider, null)
  }
  return forgotten
}

/** Moves a row. `to` may omit the provider. Rows that were applied with outputs of the moved one are updated. */
export async function moveRow(state: StateWriter, from: string, to: string): Promise<{ from: string; to: string }> {
  const { provider, kind } = parseAddress(from)
  const target = to.startsWith(`${provider}.`) ? to : `${provider}.${to}`
  const meant = parseAddress(target)
  if (meant.kind !== kind || meant.name === '') {
    throw problem('state.move-elsewhere', {
      detail: `${from} can only move to an address that starts with ${provider}.${kind}.`,
      fix: `Write ${provider}.${kind}.NAME as the new address.`,
    })
  }
  if (state.rows.has(target)) {
    throw problem('state.address-taken', {
      detail: `State has ${target} with the id ${state.rows.get(target)?.id ?? '(none yet)'}.`,
      fix: `Remove or move that one first, for example with "agents state rm ${target}".`,
    })
  }
  const users: Record<string, Row> = {}
  for (const [address, row] of state.rows) {
    if (inputsOf(row).includes(from) || row.sessionUses?.includes(from)) users[address] = renamedIn(row, from, target)
  }
  await state.move(from, target, users)
  return { from, to: target }
}

function renamedIn(row: Row, from: string, to: string): Row {
  const renamed = ({ inputs }: Pick<Row, 'inputs'>): Pick<Row, 'inputs'> => {
    if (!inputs) return {}
    const entries = Object.entries(inputs).map(([key, value]) => {
      return [isOutputOf(key, from) ? to + key.slice(from.length) : key, value] as const
    })
    return { inputs: Object.fromEntries(entries) }
  }
  const deposed = row.deposed?.map((old) => ({ ...old, ...renamed(old) }))
  const sessionUses = row.sessionUses?.map((use) => (use === from ? to : use)).sort()
  return { ...row, ...renamed(row), ...(deposed ? { deposed } : {}), ...(sessionUses ? { sessionUses } : {}) }
}

function isOutputOf(key: string, address: string): boolean {
  return key.slice(0, key.lastIndexOf('#')) === address
}
