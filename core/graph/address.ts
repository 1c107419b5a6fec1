// Addresses name one resource on one provider: `qoder.agent.reviewer`. The name may hold dots of its own.

export type Address = string

export interface AddressParts {
  readonly provider: string
  readonly kind: string
  readonly name: string
}

export function formatAddress({ provider, kind, name }: AddressParts): Address {
  return `${provider}.${kind}.${name}`
}

/** Splits an address the engine made itself. */
export function parseAddress(address: Address): AddressParts {
  const [provider = '', kind = '', ...name] = address.split('.')
  return { provider, kind, name: name.join('.') }
}

/** True when `written` (with or without the provider in front) names this address. */
export function namesAddress(written: string, address: Address): boolean {
  if (written === address) return true
  const { kind, name } = parseAddress(address)
  return written === `${kind}.${name}`
}
