// Which passwords were already proven to open which document, as keyed hashes in bounded memory, so that cached reads of
// encrypted documents need no worker. Nothing of it is ever written down.
import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { limits } from '../limits.js'

export class ProvenPasswords {
  private readonly key = randomBytes(32)
  private readonly proven = new LRUCache<string, true>({ max: limits.provenPasswordsMax })

  isProven(version: string, password: Uint8Array): boolean {
    return this.proven.has(this.fingerprint(version, password))
  }

  remember(version: string, password: Uint8Array): void {
    this.proven.set(this.fingerprint(version, password), true)
  }

  private fingerprint(version: string, password: Uint8Array): string {
    return createHmac('sha256', this.key).update(version).update('\0').update(password).digest('base64')
  }
}
