// Frames of a stream of server-sent events, as text: one line of JSON each, ended by an empty line.

/** `auth-revoked` is final; after `auth-expiring` a fresh token goes on where this one ended. */
export type EventName = 'mutation' | 'full-refresh' | 'auth-expiring' | 'auth-revoked'

export interface Frame {
  readonly event: EventName
  readonly data: object
  /** Audit id from which a reader continues behind this frame. */
  readonly id?: number
}

export function frameOf({ event, data, id }: Frame): string {
  const name = id === undefined ? '' : `id: ${id}\n`
  return `${name}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Clients pass it over; it keeps what is between from closing a quiet connection. */
export const heartbeat = ': heartbeat\n\n'
