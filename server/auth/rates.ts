// Rate limits of requests without a credential, and of guesses, by client network.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../../core/ports/clock.js'
import { limits } from '../limits.js'
import type { RedisConnection } from '../storage/redis/redis-connection.js'
import { Attempts, type Rate } from './attempts.js'
import { sharedAttemptsOn } from './shared-attempts.js'

export interface Rates {
  /** Limits requests that need no credential. */
  readonly anonymousRequests: Rate
  /** Limits sessions created from one share. */
  readonly shareExchanges: Rate
  /** Limits attempts at the passphrase of one share. */
  readonly shareGuesses: Rate
  /** Limits attempts at the password of one document. */
  readonly documentGuesses: Rate
}

/** Maximum number of requests in a minute. */
export type RateBounds = Readonly<Record<keyof Rates, number>>

export const defaultRateBounds: RateBounds = {
  anonymousRequests: limits.anonymousRequestsPerMinute,
  shareExchanges: limits.shareExchangesPerMinute,
  shareGuesses: limits.shareAttemptsPerMinute,
  documentGuesses: limits.documentAttemptsPerMinute,
}

/** `redis`: connection through which processes share their counts; undefined = this process counts alone. */
export async function ratesOf(bounds: RateBounds, clock: Clock, redis?: RedisConnection): Promise<Rates> {
  const shared = redis && (await sharedAttemptsOn(redis))
  const rate = (name: keyof Rates) => {
    const perMinuteMax = bounds[name]
    const local = new Attempts({ perMinuteMax, rememberedMax: limits.ratedNetworksMax, clock })
    return shared === undefined ? local : shared({ name, perMinuteMax, local })
  }
  return {
    anonymousRequests: rate('anonymousRequests'),
    shareExchanges: rate('shareExchanges'),
    shareGuesses: rate('shareGuesses'),
    documentGuesses: rate('documentGuesses'),
  }
}

/**
 * Returns the network of an address: for IPv6 its /64, which is usually assigned to one customer. Texts that are no
 * address share one network.
 */
export function networkOf(address: string): string {
  const bare = withoutPort(address)
  if (isIP(bare) === 0) return 'unknown'
  const parsed = ipaddr.process(bare)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return new ipaddr.IPv6(parsed.toByteArray().fill(0, 8)).toString()
}

/** Removes the port that some proxies append to the client's address: `203.0.113.5:4711`, `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(address.trim()) ?? []
  return bracketed ?? plain ?? address.trim()
}
