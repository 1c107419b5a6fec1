// Addresses that imports may reach: public ones, and those allowed by the operator. Every notation of an address of this
// machine or its networks is refused.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Network and the length of its prefix. */
export type AddressRange = readonly [Address, number]

/** True for an address range. IPv4 only in four decimal parts: `10/8` would otherwise be a network of 0.0.0.10. */
export const isAddressRange = (text: string): boolean =>
  ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)

/** Parses a valid address range. */
export const parseAddressRange = (text: string): AddressRange => ipaddr.parseCIDR(text)

/**
 * True if an import may reach the address. Allowed ranges match only in their own notation: allowing 127.0.0.1 does
 * not allow ::ffff:127.0.0.1.
 */
export function isReachable(text: string, allowed: readonly AddressRange[]): boolean {
  if (isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  return allowed.some((range) => isWithin(address, range)) || isPublic(address)
}

function isPublic(address: Address): boolean {
  if (platformServices.some((range) => isWithin(address, range))) return false
  // IANA's registries list every other range as special: private, loopback, 6to4, documentation, ...
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || isGlobalUnicast(address)
}

/** Addresses in public ranges at which a cloud platform offers services to its virtual machines. */
const platformServices: readonly AddressRange[] = ['168.63.129.16/32'].map(parseAddressRange)

/** Global unicast (RFC 4291, 2.4). IPv4-compatible, NAT64 and reserved addresses are outside of it. */
const globalUnicast = parseAddressRange('2000::/3')

function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  return isWithin(address, globalUnicast) && address.zoneId === undefined && !isIsatap(address)
}

/**
 * True for ISATAP (RFC 5214, 6.1): an interface identifier of 5efe contains an IPv4 address, to which a router of the
 * site would forward.
 */
function isIsatap({ parts: [, , , , flags = 0, marker] }: ipaddr.IPv6): boolean {
  const universalBit = 0x0200
  return marker === 0x5efe && (flags & ~universalBit) === 0
}

function isWithin(address: Address, [network, prefixBits]: AddressRange): boolean {
  return address.kind() === network.kind() && address.match(network, prefixBits)
}
