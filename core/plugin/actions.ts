// Contracts for actions on applied resources besides reconciliation: runs of deployments, and entries of stores.

import type { JsonObject, Tree } from '../value/tree.js'
import type { Declaration } from './declaration.js'
import type { Call, Remote } from './handler.js'
import type { Scope } from './scope.js'

/** Runs of one deployment. `id` is the provider's, or null if the provider stores no deployments. */
export interface DeploymentActions<Client> {
  /**
   * Starts one run now. If the provider has no deployments, `body` is the result of `request` with expanded
   * placeholders.
   */
  run(call: Call<Client>, deployment: { readonly id: string | null; readonly body: Tree }): Promise<Remote>
  /** Returns what `run` needs from the declaration, with placeholders. Pure. Absent if the id is enough. */
  request?(declaration: Declaration, scope: Scope): Tree
  pause?(call: Call<Client>, id: string): Promise<Remote>
  resume?(call: Call<Client>, id: string): Promise<Remote>
  runs?(call: Call<Client>, id: string): AsyncIterable<Remote>
}

export interface MemoryEntry {
  readonly id: string
  /** Path of the entry, without a leading slash. */
  readonly path: string
  readonly sha256?: string
  readonly sizeBytes?: number
  /** Text of the entry, which only `read` returns. */
  readonly content?: string
}

/** Entries of one memory store. */
export interface MemoryActions<Client> {
  list(call: Call<Client>, storeId: string, prefix?: string): AsyncIterable<MemoryEntry>
  /** Returns undefined when there is no entry at the path. */
  read(call: Call<Client>, storeId: string, path: string): Promise<MemoryEntry | undefined>
  /** Creates or replaces the entry. */
  put(call: Call<Client>, storeId: string, path: string, content: string): Promise<MemoryEntry>
  /** Returns false when there was no entry. */
  remove(call: Call<Client>, storeId: string, path: string): Promise<boolean>
  /** Yields earlier versions of the store's entries, newest first. Absent if the provider stores none. */
  versions?(call: Call<Client>, storeId: string, path?: string): AsyncIterable<JsonObject>
}
