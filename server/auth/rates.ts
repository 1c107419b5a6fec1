// Rate limits of requests without a credential, by client network.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../../core/ports/clock.js'
import { limits } from '../limits.js'
import { Attempts, type Rate } from './attempts.js'

export interface Rates {
  /** Requests that need no credential. */
  readonly anonymousRequests: Rate
  /** Sessions made of one share. */
  readonly shareExchanges: Rate
  /** Guesses of the passphrase of one share. */
  readonly shareGuesses: Rate
}

/** Requests in a minute. */
export type RateBounds = Readonly<Record<keyof Rates, number>>

export const defaultRateBounds: RateBounds = {
  anonymousRequests: limits.anonymousRequestsPerMinute,
  shareExchanges: limits.shareExchangesPerMinute,
  shareGuesses: limits.shareAttemptsPerMinute,
}

export function ratesOf(bounds: RateBounds, clock: Clock): Rates {
  const rate = (perMinuteMax: number) => new Attempts({ perMinuteMax, rememberedMax: limits.ratedNetworksMax, clock })
  return {
    anonymousRequests: rate(bounds.anonymousRequests),
    shareExchanges: rate(bounds.shareExchanges),
    shareGuesses: rate(bounds.shareGuesses),
  }
}

/**
 * Returns the network of an address: the /64 of IPv6 addresses, which one customer of a provider has whole. Texts
 * that are not addresses share one network.
 */
export function networkOf(address: string): string {
  const bare = withoutPort(address)
  if (isIP(bare) === 0) return 'unknown'
  const parsed = ipaddr.process(bare)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return new ipaddr.IPv6(parsed.toByteArray().fill(0, 8)).toString()
}

/** Some proxies write the port of the client behind its address: `203.0.113.5:4711`, `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d+)?|([^:]*):\d+)$/.exec(address.trim()) ?? []
  return bracketed ?? plain ?? address.trim()
}
