// The contract for running an agent: what a provider needs to offer `agents session`.

import type { JsonObject, Tree } from '../value/tree.js'
import type { Declaration } from './declaration.js'
import type { Call, Remote } from './handler.js'
import type { Scope } from './scope.js'

/** What the command line adds to the declaration of the agent. Names are logical. */
export interface SessionRequest {
  readonly identity?: string
  readonly environment?: string
  readonly vaults: readonly string[]
  readonly memoryStores: readonly string[]
  readonly tunnel?: string
  readonly files: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly title?: string
}

/** How a session ended: not every session can be removed with its history. */
export type SessionEnd = 'deleted' | 'archived'

export interface Sessions<Client> {
  /**
   * Pure. Returns the body to send, with placeholders. Throws a `Problem` for a request that a rule forbids, before any
   * call.
   */
  request(agent: Declaration, request: SessionRequest, scope: Scope): Tree
  /** Creates a session. Like every session returned here, the result has an `id`. */
  create(call: Call<Client>, body: Tree): Promise<Remote>
  list(call: Call<Client>, agentId?: string): AsyncIterable<Remote>
  read(call: Call<Client>, id: string): Promise<Remote>
  send(call: Call<Client>, id: string, text: string): Promise<Remote>
  events(call: Call<Client>, id: string, options: { readonly follow: boolean }): AsyncIterable<JsonObject>
  /** Ends the session; its history stays where the provider stores one. */
  archive(call: Call<Client>, id: string): Promise<void>
  /** Ends the session and removes its history where possible. Absent: only `archive` exists. */
  delete?(call: Call<Client>, id: string): Promise<SessionEnd>
}
