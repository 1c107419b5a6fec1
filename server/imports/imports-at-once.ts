// How many imports go on at once. Each holds a connection and a file for as long as its source takes, so one too many is sent
// away before anything is begun for it.
import { Refusal } from '../errors.js'
import { limits } from '../limits.js'

export class ImportsAtOnce {
  private running = 0

  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= limits.importsAtOnceMax) {
      throw new Refusal('RuntimeUnavailable', 'Too many imports go on at this moment', {
        retryAfterSeconds: limits.importsRetryAfterSeconds,
      })
    }
    this.running += 1
    try {
      return await work()
    } finally {
      this.running -= 1
    }
  }
}
