// Duration of a revocation: the longest possible remaining lifetime of a token issued before it.
import { limits } from '../limits.js'

/** End of revocations of tokens minted elsewhere, which may never expire. */
const endOfTimeMs = Date.UTC(9999, 11, 31)

/** Returns when every token issued by this server before the revocation has expired. */
export const revokedUntil = (revokedAtMs: number): number =>
  revokedAtMs + (limits.tokenLifetimeSecondsMax + limits.clockToleranceSeconds) * 1000

/**
 * Returns the end of a revocation. `isOurs`: this server mints the tokens, and accepts none that lives longer than its
 * own maximum.
 */
export const revocationEnd = (revokedAtMs: number, { isOurs }: { readonly isOurs: boolean }): number =>
  isOurs ? revokedUntil(revokedAtMs) : endOfTimeMs
