// Counted attempts of the first process, shared with the others, so that a limit is that of the whole server.
import type { Rate } from '../auth/attempts.js'
import type { Rates } from '../auth/rates.js'
import { Refusal } from '../refusals/refusal.js'
import type { Channel } from './channel.js'

export function serveRates(channel: Channel, rates: Rates): void {
  channel.handle('rates.count', async (name: keyof Rates, key: string) => {
    try {
      await rates[name].count(key)
      return 0
    } catch (error) {
      if (error instanceof Refusal && error.code === 'TooManyRequests') return error.retryAfterSeconds ?? 1
      throw error
    }
  })
  channel.handle('rates.reset', (name: keyof Rates, key: string) => rates[name].reset(key))
}

export function remoteRates(channel: Channel): Rates {
  const rate = (name: keyof Rates): Rate => ({
    async count(key) {
      const retryAfterSeconds = await channel.call<number>('rates.count', name, key)
      if (retryAfterSeconds === 0) return
      throw new Refusal('TooManyRequests', 'Too many attempts; wait and try again', { retryAfterSeconds })
    },
    reset: (key) => channel.call('rates.reset', name, key),
  })
  return {
    anonymousRequests: rate('anonymousRequests'),
    shareExchanges: rate('shareExchanges'),
    shareGuesses: rate('shareGuesses'),
    documentGuesses: rate('documentGuesses'),
  }
}
