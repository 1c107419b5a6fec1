// The reader of a stream among the other readers of the layer.
import { subjectOf } from '../auth/caller.js'
import type { DocumentContext } from '../operation/operation.js'
import type { Stay } from '../presence/presence.js'
import type { PresenceEvent } from '../schemas/events.js'
import { frameOf } from './frames.js'

export class Company {
  private readonly stay: Stay
  private hasChanged = true
  private sent = ''

  constructor({ deployment, document, layerName, caller }: DocumentContext, onChange: () => void) {
    const displayName = (caller.kind === 'document' ? caller.person.displayName : undefined) ?? null
    const reader = { sub: subjectOf(caller), displayName }
    this.stay = deployment.presence.enter(`presence:${document.internal}:${layerName}`, reader, () => {
      this.hasChanged = true
      onChange()
    })
  }

  /** Returns the frame that says who is there, unless the reader knows. */
  news(): readonly string[] {
    if (!this.hasChanged) return []
    this.hasChanged = false
    const data: PresenceEvent = { self: this.stay.id, ...this.stay.present() }
    const frame = frameOf({ event: 'presence', data })
    if (frame === this.sent) return []
    this.sent = frame
    return [frame]
  }

  leave(): void {
    this.stay.leave()
  }
}
