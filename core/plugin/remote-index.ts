// What handlers may ask while they turn a remote object into a declaration.
import type { JsonObject } from '../value/tree.js'

/** Names of remote ids for `sync` while it writes declarations. */
export interface RemoteIndex {
  /** The logical name this object gets. */
  readonly self: string
  /** The logical name of the object with this id, or undefined when it is not part of the project. */
  name(kind: string, id: string): string | undefined
  /** The local file that the project uploaded as this object for what is being said. */
  path?(kind: string, id: string): string | undefined
  /** That object answers these outputs now (the version that somebody has is the newest one). */
  isAt(kind: string, id: string, outputs: Readonly<Record<string, string>>): boolean
  /**
   * Text for a secret that cannot be read back: the reference that stands in the file already, or a new one made of
   * these words (`${KEYS_GITHUB_TOKEN}`). `at` is the path of the value in the body, items of a list by
   * their `name` or `url`: `['credentials', 'github', 'access_token']`.
   */
  secret(at: readonly string[], ...words: readonly string[]): string
  /**
   * What the file calls an item of a list whose name the provider does not answer, found by what else it says:
   * `nameWritten('credentials', { secret_name: 'GITHUB_TOKEN' })`.
   */
  nameWritten(field: string, says: JsonObject): string | undefined
  /** The folder for what `download` answered: the one that the file names in this field, or a new one. */
  folder(field: string): string | undefined
  /** Why there is no body: goes on after "because", and is shown to people. */
  cannotSay(reason: string): undefined
}
