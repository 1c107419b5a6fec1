// Checks the expiry of a share, which must be after its creation. Seconds sent instead of milliseconds are detected,
// because they are long before it.
import { invalidArg } from '../refusals/refusal.js'

/**
 * Throws `InvalidArg` unless the expiry is after the creation. Both are in milliseconds since 1970; null or undefined
 * `expiresAt` = never.
 */
export function refuseEarlyExpiry(expiresAt: number | null | undefined, createdAt: number): void {
  if (expiresAt === null || expiresAt === undefined || expiresAt > createdAt) return
  const [requested, made] = [expiresAt, createdAt].map((ms) => new Date(ms).toISOString())
  throw invalidArg(`expiresAt is ${requested}, and the share was made at ${made}; it takes milliseconds since 1970`)
}
