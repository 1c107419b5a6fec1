// Frames of a stream of server-sent events, as text: one line of JSON each, ended by an empty line.

/** Name of an event. `auth-revoked` is final; after `auth-expiring` the reader may continue with a new token. */
export type EventName = 'mutation' | 'full-refresh' | 'presence' | 'auth-expiring' | 'auth-revoked'

export interface Frame {
  readonly event: EventName
  readonly data: object
  /** Audit id after which a reader continues. */
  readonly id?: number
}

export function frameOf({ event, data, id }: Frame): string {
  const name = id === undefined ? '' : `id: ${id}\n`
  return `${name}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Comment that clients ignore; it keeps proxies from closing a quiet connection. */
export const heartbeat = ': heartbeat\n\n'
