// Limits concurrent imports, overall and per tenant. An import holds a connection and a file for as long as its source
// takes, so excess imports are refused before any work starts.
import type { Account } from '../../workers/messages/account.js'
import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'
import { FairPlaces } from './fair-places.js'

export class ImportsAtOnce {
  private readonly places = new FairPlaces(limits.importsAtOnceMax)

  async hold<Result>(account: Account, work: () => Promise<Result>): Promise<Result> {
    const leave = this.places.take(account)
    if (leave === undefined) {
      throw new Refusal('RuntimeUnavailable', 'Too many imports of this tenant are in progress', {
        retryAfterSeconds: limits.importsRetryAfterSeconds,
      })
    }
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
