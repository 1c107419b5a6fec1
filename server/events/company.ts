// The reader of a stream among the other readers of the layer.
import { subjectOf } from '../auth/caller.js'
import { callerKeyOf } from '../auth/caller-key.js'
import type { DocumentContext } from '../operation/operation.js'
import { sessionOf } from '../operation/session-id.js'
import type { Stay } from '../presence/presence.js'
import type { PresenceEvent, PresentReader } from '../schemas/events.js'
import { frameOf } from './frames.js'

export class Company {
  private readonly reader: PresentReader
  private readonly stay: Stay
  private hasChanged = true
  private sent = ''

  constructor(context: DocumentContext, onChange: () => void) {
    const { deployment, document, layerName, caller } = context
    const displayName = (caller.kind === 'document' ? caller.person.displayName : undefined) ?? null
    this.reader = { id: readerIdOf(context), sub: subjectOf(caller), displayName }
    this.stay = deployment.presence.enter(`presence:${document.internal}:${layerName}`, this.reader, () => {
      this.hasChanged = true
      onChange()
    })
  }

  /** Returns the frame that says who is there, unless the reader knows. */
  news(): readonly string[] {
    if (!this.hasChanged) return []
    this.hasChanged = false
    const data: PresenceEvent = { self: this.reader.id, ...this.stay.present() }
    const frame = frameOf({ event: 'presence', data })
    if (frame === this.sent) return []
    this.sent = frame
    return [frame]
  }

  leave(): void {
    this.stay.leave()
  }
}

/**
 * Returns the same id for all windows of a person, and for a window of a visitor's session. It depends on who the caller
 * is: nobody becomes another reader by sending the session id of their window.
 */
function readerIdOf(context: DocumentContext): string {
  const { deployment, document, layerName, caller } = context
  const isVisitor = caller.kind === 'document' && caller.share !== undefined
  const reader = isVisitor ? [callerKeyOf(caller), sessionOf(context)] : [callerKeyOf(caller)]
  return deployment.sealing.fingerprint(JSON.stringify(['reader', document.internal, layerName, ...reader]))
}
