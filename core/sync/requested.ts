// What the declaration of a listed object would have to refer to: the objects that it uses.
import type { Discovered } from './discover.js'

export interface RequestedObject {
  readonly kind: string
  readonly id: string
}

export function requestedBy({ handler, object }: Discovered): readonly RequestedObject[] {
  const found: RequestedObject[] = []
  handler.declare?.(object, {
    self: '',
    name(kind, id) {
      found.push({ kind, id })
      return id
    },
    path(kind, id) {
      found.push({ kind, id })
      return undefined
    },
    isAt: () => true,
    isWritten: () => false,
    secret: () => '',
    nameWritten: () => undefined,
    folder: () => '',
    cannotSay: () => undefined,
  })
  return found
}
