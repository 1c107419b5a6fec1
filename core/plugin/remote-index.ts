// Questions that handlers may ask while they convert a remote object into a declaration.
import type { JsonObject } from '../value/tree.js'

/** Logical names of remote ids, for handlers whose `declare` writes declarations. */
export interface RemoteIndex {
  /** Logical name of this object. */
  readonly self: string
  /** Returns the logical name of the object with this id, or undefined when it is not part of the project. */
  name(kind: string, id: string): string | undefined
  /** Returns the local file that the project uploaded as this object for the declaration being written. */
  path?(kind: string, id: string): string | undefined
  /** True if that object has these outputs now (the version in use is the newest one). */
  isAt(kind: string, id: string, outputs: Readonly<Record<string, string>>): boolean
  /**
   * Returns the text for a secret that cannot be read back: the reference that is already in the file, or a new one
   * made of these words (`${KEYS_GITHUB_TOKEN}`). `at` is the path of the value in the body, items of a list by their
   * `name` or `url`: `['credentials', 'github', 'access_token']`.
   */
  secret(at: readonly string[], ...words: readonly string[]): string
  /**
   * Returns the name that the file gives to an item of a list whose name the provider does not return, found by its
   * other members: `nameWritten('credentials', { secret_name: 'GITHUB_TOKEN' })`.
   */
  nameWritten(field: string, says: JsonObject): string | undefined
  /** Returns the folder for the content from `download`: the one that the file names in this field, or a new one. */
  folder(field: string): string | undefined
  /** Records why there is no body: the reason continues a sentence after "because" and is shown to people. */
  cannotSay(reason: string): undefined
}
