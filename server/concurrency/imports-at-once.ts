// How many imports go on at once, of all tenants and of each. An import holds a connection and a file for as long as its
// source takes, so one too many is refused before anything is begun for it.
import type { Account } from '../../workers/messages/account.js'
import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'
import { FairPlaces } from './fair-places.js'

export class ImportsAtOnce {
  private readonly places = new FairPlaces(limits.importsAtOnceMax)

  async hold<Result>(account: Account, work: () => Promise<Result>): Promise<Result> {
    const leave = this.places.take(account)
    if (leave === undefined) {
      throw new Refusal('RuntimeUnavailable', 'Too many imports of this tenant go on at this moment', {
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
