// Replaces the key derivation, which is slow by design, with a fast one: these tests have a secret in every field.
import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

export function deriveFast(t: { teardown(clean: () => void): void }): void {
  const { scrypt } = crypto
  const put = (derive: unknown) => {
    Object.assign(crypto, { scrypt: derive })
    syncBuiltinESMExports()
  }
  put((secret: string, salt: string, _length: number, _cost: unknown, done: (error: null, key: Buffer) => void) =>
    done(null, createHash('sha256').update(`${salt}\n${secret}`).digest()),
  )
  t.teardown(() => put(scrypt))
}
