// Hashes of leaves, by which state detects that a value changed without storing the value.
import { createHmac, hash, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { canonical, type Json } from '../value/tree.js'

/**
 * Length of a stored base64url hash: 66 bits. That is enough because a hash is only compared with an earlier one of the
 * same leaf: one change in 2^66 would be overlooked, and whoever could forge a match could also declare the old value.
 */
const hashCharacters = 11

/**
 * Cost of a derivation: 16 MiB and about 40 ms for each guess. State files are private and most secrets are random; the
 * cost protects short secrets in a leaked file. Four derivations in parallel (the size of Node's thread pool) need far
 * less memory than a plan may use.
 */
const scryptCost = { N: 2 ** 14, r: 8, p: 1 } as const
const keyBytes = 32

export interface LeafHasher {
  /** Hashes a value without secrets. `unordered`: arrays are compared as sets. */
  plain(value: Json, options: { readonly unordered: boolean }): string
  /**
   * Hashes a value that contains secrets, with a key derived from them, so that each guess costs one derivation.
   * `secrets`: the variable values in it, or the value itself if the file contains it in plain text.
   */
  keyed(value: Json, options: { readonly unordered: boolean; readonly secrets: readonly string[] }): Promise<string>
}

export interface HasherOptions {
  /** Salt of the state file, by which the same secret has different hashes in different projects. */
  readonly salt: string
  /** Derives a key; slow on purpose. Called once per distinct set of secrets. Default: scrypt. */
  readonly derive?: ((secrets: string, salt: string) => Promise<Uint8Array>) | undefined
}

/** Creates a hasher for one run, which caches the keys that it derives. */
export function createHasher({ salt, derive = deriveByScrypt }: HasherOptions): LeafHasher {
  const keys = new Map<string, Promise<Uint8Array>>()
  return {
    plain: (value, { unordered }) => hash('sha256', textOf(value, unordered), 'base64url').slice(0, hashCharacters),
    async keyed(value, { unordered, secrets }) {
      const material = JSON.stringify([...new Set(secrets)].sort())
      let key = keys.get(material)
      if (!key) {
        key = derive(material, salt)
        keys.set(material, key)
      }
      return createHmac('sha256', await key)
        .update(textOf(value, unordered))
        .digest('base64url')
        .slice(0, hashCharacters)
    },
  }
}

function textOf(value: Json, unordered: boolean): string {
  if (!unordered || !Array.isArray(value)) return canonical(value)
  return `[${[...new Set(value.map((item: Json) => canonical(item)))].sort().join(',')}]`
}

async function deriveByScrypt(secrets: string, salt: string): Promise<Uint8Array> {
  return promisify<string, string, number, typeof scryptCost, Buffer>(scrypt)(secrets, salt, keyBytes, scryptCost)
}
