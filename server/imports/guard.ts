// Import policy, checked for the URL of a request and for every redirect.
import { isIP } from 'node:net'
import { hasCode } from '../../core/ports/disk.js'
import { limits } from '../limits.js'
import { invalidArg } from '../refusals/refusal.js'
import { type AddressRange, isReachable, parseAddressRange } from '../settings/addresses.js'
import type { Config } from '../settings/config.js'
import { refused, upstreamFailed } from './failures.js'
import { type Network, withTimeout } from './network.js'
import type { Asking } from './resolve.js'

export interface ImportPolicy {
  readonly schemes: readonly string[]
  /** Ranges that are reachable although they are not public. */
  readonly allowed: readonly AddressRange[]
}

export const policyOf = ({ importAllow, importHttp }: Pick<Config, 'importAllow' | 'importHttp'>): ImportPolicy => ({
  schemes: importHttp ? ['https:', 'http:'] : ['https:'],
  allowed: importAllow.map(parseAddressRange),
})

interface Rule {
  isBroken(url: URL, policy: ImportPolicy): boolean
  message(policy: ImportPolicy): string
}

const rules: readonly Rule[] = [
  {
    isBroken: ({ protocol }, { schemes }) => !schemes.includes(protocol),
    message: ({ schemes }) => `Only ${schemes.map((scheme) => `${scheme}//`).join(' and ')} URLs are imported`,
  },
  {
    isBroken: ({ username, password }) => username !== '' || password !== '',
    message: () => 'URLs with a user name or password are not imported',
  },
  {
    isBroken: (url) => !isSanePort(portOf(url)),
    message: () => 'Ports below 1024 other than 80 and 443 are not imported from',
  },
]

/** Throws `InvalidArg` for an invalid URL. */
export function checkSource(text: string, policy: ImportPolicy): URL {
  if (!URL.canParse(text)) throw invalidArg('source.url is not an absolute URL')
  return checkedUrl(new URL(text), policy)
}

export function checkRedirect(location: string | undefined, from: URL, policy: ImportPolicy): URL {
  if (location === undefined || !URL.canParse(location, from.href)) {
    throw upstreamFailed('The source redirects to something that is no URL')
  }
  return checkedUrl(new URL(location, from), policy)
}

function checkedUrl(url: URL, policy: ImportPolicy): URL {
  const broken = rules.find((rule) => rule.isBroken(url, policy))
  if (broken) throw refused(broken.message(policy))
  return url
}

/**
 * Returns the addresses to connect to, so that a later resolution of the name has no effect. Addresses that may not
 * be reached are left out; a host without others is refused.
 */
export async function addressesOf(
  url: URL,
  { policy, network }: { readonly policy: ImportPolicy; readonly network: Network },
  asking: Asking,
): Promise<readonly string[]> {
  const hostname = hostnameOf(url)
  const found = isIP(hostname) ? [hostname] : await resolved(hostname, network, asking)
  const reachable = found.filter((address) => isReachable(address, policy.allowed))
  if (reachable.length === 0) throw refused('The source is not at an address this deployment imports from')
  return reachable.slice(0, limits.importAddressesMax)
}

/** Resolves the name; after the timeout nobody waits for it any more. */
async function resolved(hostname: string, { resolve, timeouts }: Network, asking: Asking): Promise<readonly string[]> {
  const late = new AbortController()
  const signal = AbortSignal.any([asking.signal, late.signal])
  const addresses = resolve(hostname, { ...asking, signal }).catch(ignoreUnknownName)
  try {
    return await withTimeout(timeouts.connectMs, addresses)
  } finally {
    late.abort()
  }
}

/** An unknown name gets the same error as an internal one, so that clients cannot learn which names a network has. */
function ignoreUnknownName(error: unknown): readonly string[] {
  if (hasCode(error, 'ENOTFOUND', 'ENODATA', 'EBADNAME')) return []
  throw error
}

/** Returns the host name without the brackets of IPv6. */
export const hostnameOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

export const portOf = ({ port, protocol }: URL): number => (port === '' ? defaultPorts[protocol] : Number(port)) ?? 0

/** True for ports that web servers use. Others below 1024 belong to mail, remote shells and the like. */
export const isSanePort = (port: number): boolean => port >= 1024 || Object.values(defaultPorts).includes(port)
