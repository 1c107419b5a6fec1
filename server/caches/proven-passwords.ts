// Cache of passwords that were proven to open a version, as keyed hashes, so that cached reads of encrypted documents
// need no worker (the row "cached page image of an encrypted document" of `npm run bench`). Never written to disk.
import { createHmac, randomBytes } from 'node:crypto'
import { limits } from '../limits.js'
import { Cache } from './cache.js'

export class ProvenPasswords {
  private readonly secret = randomBytes(32)
  private readonly proven = new Cache<true>({ bytesMax: limits.provenPasswordBytesMax, bytesOf: () => 0 })

  isProven(version: string, password: Uint8Array): boolean {
    return this.proven.get(this.fingerprint(version, password)) ?? false
  }

  add(version: string, password: Uint8Array): void {
    this.proven.set(this.fingerprint(version, password), true)
  }

  private fingerprint(version: string, password: Uint8Array): string {
    return createHmac('sha256', this.secret).update(version).update('\0').update(password).digest('base64')
  }
}
