// When a share may expire: after it was made. Seconds sent where milliseconds are meant are long before that.
import { invalidArg } from '../refusals/refusal.js'

/** Both in milliseconds since 1970; no `expiresAt` = never. Throws `InvalidArg`. */
export function refuseEarlyExpiry(expiresAt: number | null | undefined, createdAt: number): void {
  if (expiresAt === null || expiresAt === undefined || expiresAt > createdAt) return
  const [requested, made] = [expiresAt, createdAt].map((ms) => new Date(ms).toISOString())
  throw invalidArg(`expiresAt is ${requested}, and the share was made at ${made}; it takes milliseconds since 1970`)
}
