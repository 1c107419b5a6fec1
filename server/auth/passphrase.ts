// Passphrases of shares, as scrypt hashes. Each costs 128 MB and half a second, so only two are worked on at a time and
// a bounded number waits; the attempts of one client are counted before it comes to that.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../errors.js'
import { limits } from '../limits.js'

/** OWASP's recommendation for scrypt. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 } as const
const keyBytes = 32

export class Passphrases {
  private running = 0
  private readonly waiting: (() => void)[] = []

  /** `scrypt$<salt>$<key>`, both base64. */
  async hash(passphrase: string): Promise<string> {
    const salt = randomBytes(16)
    const key = await this.derive(passphrase, salt)
    return ['scrypt', salt.toString('base64'), key.toString('base64')].join('$')
  }

  async matches(passphrase: string, stored: string): Promise<boolean> {
    const [, salt = '', key = ''] = stored.split('$')
    const expected = Buffer.from(key, 'base64')
    const actual = await this.derive(passphrase, Buffer.from(salt, 'base64'))
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  }

  private async derive(passphrase: string, salt: Buffer): Promise<Buffer> {
    await this.turn()
    try {
      return await derive(passphrase.normalize('NFC'), salt, cost)
    } finally {
      const next = this.waiting.shift()
      // The place is handed on rather than given back, so that nobody slips in between.
      if (next) next()
      else this.running -= 1
    }
  }

  private async turn(): Promise<void> {
    if (this.running < limits.passwordHashesAtOnce) {
      this.running += 1
      return
    }
    if (this.waiting.length >= limits.passwordHashesWaitingMax) {
      throw new Refusal('RuntimeUnavailable', 'Too many passphrases are being checked', { retryAfterSeconds: 5 })
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve))
  }
}

function derive(passphrase: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}
