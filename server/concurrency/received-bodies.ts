// Bodies of requests that are in memory while they arrive and are handled, limited in bytes and shared fairly among accounts:
// a client may send a body as slowly as the minimum rate allows, on as many connections as it likes.
import type { Account } from '../../workers/messages/account.js'
import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'
import { FairPlaces } from './fair-places.js'

export class ReceivedBodies {
  private readonly bytes: FairPlaces

  constructor(bytesMax: number = limits.receivedBodyBytesMax) {
    this.bytes = new FairPlaces(bytesMax)
  }

  /** Returns a function that gives the bytes back. Throws `RuntimeUnavailable` if the account has used its share. */
  hold(account: Account, bytes: number): () => void {
    const release = this.bytes.take(account, bytes)
    if (release !== undefined) return release
    throw new Refusal('RuntimeUnavailable', 'Too many large requests are being received; send fewer at once', {
      retryAfterSeconds: limits.bodiesRetryAfterSeconds,
    })
  }
}
