// Reasons why a store at an address cannot be opened, for diagnostics of the operator.

export type UnfitReason =
  /** The address cannot be read. */
  | 'address'
  /** No connection: host, port, network, or a server that starts or has no free connection. */
  | 'unreachable'
  /** The connection cannot be encrypted, or the certificate of the server is not trusted. */
  | 'encryption'
  /** User or password. */
  | 'login'
  | 'no-database'
  | 'rights'
  /** The schema or the rows were written by a newer server. */
  | 'newer'
  /** The rows are of a format that this server cannot write any more. */
  | 'older'
  /** A copy into the store was interrupted. */
  | 'unfinished'

export class StoreUnfit extends Error {
  override readonly name = 'StoreUnfit'

  /** `message`: full sentences without passwords. */
  constructor(
    readonly reason: UnfitReason,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause })
  }
}

/** Returns the message of an error; those of several failed connections have none of their own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
