// Questions of handlers that convert a remote object into a declaration.
import type { JsonObject } from '../value/tree.js'

/** Logical names of remote ids, for handlers whose `declare` writes declarations. */
export interface RemoteIndex {
  /** Logical name of this object. */
  readonly self: string
  /** Returns the logical name of the object with this id; undefined if it is not part of the project. */
  name(kind: string, id: string): string | undefined
  /** Returns the local file that the project uploaded as this object for the declaration being written. */
  path?(kind: string, id: string): string | undefined
  /** True if the outputs of that object have these values now (the version in use is the newest one). */
  isAt(kind: string, id: string, outputs: Readonly<Record<string, string>>): boolean
  /**
   * Returns the text for a secret that cannot be read back: the reference that the file contains already, or a new one
   * composed of these words (`${KEYS_GITHUB_TOKEN}`). `at`: path of the value in the body, with items of a list by
   * their `name` or `url`: `['credentials', 'github', 'access_token']`.
   */
  secret(at: readonly string[], ...words: readonly string[]): string
  /**
   * Returns the name in the file of a list item whose name the provider does not return. The item is found by its other
   * members: `nameWritten('credentials', { secret_name: 'GITHUB_TOKEN' })`.
   */
  nameWritten(field: string, members: JsonObject): string | undefined
  /** True if the declaration in the file has a value at this path: `['model_settings', 'effort']`. */
  isWritten(at: readonly string[]): boolean
  /** Returns the folder for the content from `download`: the one that the file names in this field, or a new one. */
  folder(field: string): string | undefined
  /** Records why there is no body: the reason continues a sentence after "because" and is shown to people. */
  cannotSay(reason: string): undefined
}
