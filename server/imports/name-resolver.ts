// Resolves the host names of imports and deliveries. The name servers are asked without a thread, so a name that is
// never answered delays nobody else, and its queries end with the request.
import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../../core/ports/disk.js'
import { nameLimits } from './name-limits.js'
import type { Resolve } from './resolve.js'
import { SystemLookups } from './system-lookups.js'

export interface NameResolverOptions {
  /** Addresses of the name servers. Default: those of the system. */
  readonly servers?: readonly string[]
  readonly system?: SystemLookups
}

/** Returns a resolver of all addresses of a name, those of IPv4 first. */
export function nameResolver({ servers, system = new SystemLookups() }: NameResolverOptions = {}): Resolve {
  return async (hostname, asking) => {
    // This name never leaves the machine (RFC 6761, 6.3).
    if (/^localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1']
    return (await askServers(hostname, asking.signal, servers)) ?? system.resolve(hostname, asking)
  }
}

/**
 * Codes after which the system may know the name. A name that is not answered is not among them: the system would wait
 * for it too.
 */
const unknownToServers = ['ENOTFOUND', 'ENODATA', 'EREFUSED', 'ESERVFAIL', 'ECONNREFUSED']

/** Returns undefined if the servers do not know the name. */
async function askServers(
  hostname: string,
  signal: AbortSignal,
  servers?: readonly string[],
): Promise<readonly string[] | undefined> {
  signal.throwIfAborted()
  const resolver = new Resolver({ timeout: nameLimits.nameServerTimeoutMs, tries: nameLimits.nameServerTries })
  if (servers !== undefined) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const families = [resolver.resolve4(hostname), resolver.resolve6(hostname)]
    const both = Promise.allSettled(families)
    // Some name servers answer only queries for IPv4.
    await Promise.any(families).then(
      () => Promise.race([both, sleep(nameLimits.secondFamilyMs, undefined, { ref: false })]),
      () => {},
    )
    resolver.cancel()
    const outcomes = await both
    signal.throwIfAborted()
    const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
    if (found.length > 0) return found
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    const failure = failures.find((error) => !hasCode(error, ...unknownToServers))
    if (failure !== undefined) throw failure
    return undefined
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
