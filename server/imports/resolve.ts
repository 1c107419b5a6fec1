// Shape of name resolution. Tests replace it.
import type { Account } from '../../workers/messages/account.js'

/** Who asks for the addresses of a name. */
export interface Asking {
  readonly account: Account
  /** Signal that is aborted when the addresses are not needed any more. */
  readonly signal: AbortSignal
}

export type Resolve = (hostname: string, asking: Asking) => Promise<readonly string[]>
