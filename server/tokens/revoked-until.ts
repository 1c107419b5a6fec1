// Duration of a revocation: the longest possible remaining lifetime of a token issued before it.
import { limits } from '../limits.js'

/** Tokens of others may be good for ever. */
const endOfTimeMs = Date.UTC(9999, 11, 31)

/** Returns when a token of this server has certainly expired, counted from its revocation. */
export const revokedUntil = (revokedAtMs: number): number =>
  revokedAtMs + (limits.tokenLifetimeSecondsMax + limits.clockToleranceSeconds) * 1000

/** `isOurs`: this server mints the tokens, and takes none that is older than the longest one it makes. */
export const revocationEnd = (revokedAtMs: number, { isOurs }: { readonly isOurs: boolean }): number =>
  isOurs ? revokedUntil(revokedAtMs) : endOfTimeMs
