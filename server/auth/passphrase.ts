// Passphrases of shares, hashed with scrypt. A hash costs 128 MB and half a second, so two run at a time and a limited number
// per account waits, in fair order. Attempts of a client are counted beforehand.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import type { Account } from '../../workers/messages/account.js'
import { FairQueue } from '../../workers/pool/fair-queue.js'
import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'

/** Parameters of scrypt that OWASP recommends. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const
const keyBytes = 32

export interface PassphraseBounds {
  /** Maximum number of waiting passphrases of one tenant; a party with less than its share of them may exceed it. */
  readonly waitingMax: number
}

const defaultPassphraseBounds: PassphraseBounds = { waitingMax: limits.passwordHashesWaitingMax }

export class Passphrases {
  private running = 0
  private readonly queue: FairQueue<Turn>

  constructor({ waitingMax }: PassphraseBounds = defaultPassphraseBounds) {
    this.queue = new FairQueue({
      tenantQueuedMax: waitingMax,
      queuedMax: waitingMax * limits.passwordHashesFullQueuesMax,
      allowance: limits.passwordHashesAtOnce,
      tenantInFlightMax: limits.passwordHashesAtOnce,
    })
  }

  /** Returns `scrypt$<salt>$<key>`, both in base64. */
  async hash(passphrase: string, account: Account): Promise<string> {
    const salt = randomBytes(16)
    const key = await this.derive(passphrase, salt, account)
    return ['scrypt', salt.toString('base64'), key.toString('base64')].join('$')
  }

  async matches(passphrase: string, stored: string, account: Account): Promise<boolean> {
    const [, salt = '', key = ''] = stored.split('$')
    const expected = Buffer.from(key, 'base64')
    const actual = await this.derive(passphrase, Buffer.from(salt, 'base64'), account)
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  }

  private async derive(passphrase: string, salt: Buffer, account: Account): Promise<Buffer> {
    const turn = new Turn()
    if (!this.queue.add(turn, account, performance.now())) throw new PassphrasesBusy()
    this.beginNext()
    await turn.begun
    try {
      return await derive(passphrase.normalize('NFC'), salt, cost)
    } finally {
      this.queue.finish(turn, performance.now())
      this.running -= 1
      this.beginNext()
    }
  }

  private beginNext(): void {
    while (this.running < limits.passwordHashesAtOnce) {
      const next = this.queue.take(performance.now(), (turn) => turn)
      if (next === undefined) return
      this.running += 1
      next.task.begin()
    }
  }
}

/** Refusal without a verification, because too many passphrases of the same account are waiting. */
export class PassphrasesBusy extends Refusal {
  constructor() {
    super('RuntimeUnavailable', 'Too many passphrases are being checked', { retryAfterSeconds: 5 })
  }
}

class Turn {
  readonly begun: Promise<void>
  begin: () => void = () => {}

  constructor() {
    this.begun = new Promise((resolve) => {
      this.begin = resolve
    })
  }
}

function derive(passphrase: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
