// Addresses: `qoder.agent.reviewer` is one resource on one provider. Its name may contain dots.

import { closest } from './suggestions.js'

export type Address = string

export interface AddressParts {
  readonly provider: string
  readonly kind: string
  readonly name: string
}

export function formatAddress({ provider, kind, name }: AddressParts): Address {
  return `${provider}.${kind}.${name}`
}

/** Splits an address that the engine created itself. */
export function parseAddress(address: Address): AddressParts {
  const [provider, rest] = atDot(address)
  const [kind, name] = atDot(rest)
  return { provider, kind, name }
}

function atDot(text: string): readonly [before: string, after: string] {
  const dot = text.indexOf('.')
  return dot < 0 ? [text, ''] : [text.slice(0, dot), text.slice(dot + 1)]
}

/** True if `written`, with or without the provider, means this address. */
export function namesAddress(written: string, address: Address): boolean {
  if (written === address) return true
  const { kind, name } = parseAddress(address)
  return written === `${kind}.${name}`
}

/** Returns the known address that is most similar to an unknown one, with or without its provider. */
export function nearestAddress(written: string, known: Iterable<Address>): Address | undefined {
  const addresses = [...known]
  const whole = closest(written, addresses)
  if (whole !== undefined) return whole
  const short = (address: Address) => address.slice(address.indexOf('.') + 1)
  const near = closest(written, addresses.map(short))
  return near === undefined ? undefined : addresses.find((address) => short(address) === near)
}
