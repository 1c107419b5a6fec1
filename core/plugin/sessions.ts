// The contract for running agents, for `agents session`.

import type { JsonObject, Tree } from '../value/tree.js'
import type { Declaration } from './declaration.js'
import type { Call, Remote } from './handler.js'
import type { Scope } from './scope.js'

/** Additions of the command line to the declaration of the agent, by logical names. */
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

/** End of a session: some providers cannot remove a session with its history. */
export type SessionEnd = 'deleted' | 'archived'

export interface Sessions<Client> {
  /**
   * Returns the body to send, with placeholders. Pure. Throws a `Problem`, before any call, for a request that a rule
   * forbids.
   */
  request(agent: Declaration, request: SessionRequest, scope: Scope): Tree
  /** Creates a session. Every session returned by these functions has an `id`. */
  create(call: Call<Client>, body: Tree): Promise<Remote>
  list(call: Call<Client>, agentId?: string): AsyncIterable<Remote>
  read(call: Call<Client>, id: string): Promise<Remote>
  send(call: Call<Client>, id: string, text: string): Promise<Remote>
  events(call: Call<Client>, id: string, options: { readonly follow: boolean }): AsyncIterable<JsonObject>
  /** Ends the session. The provider keeps its history. */
  archive(call: Call<Client>, id: string): Promise<void>
  /** Ends the session and removes its history if possible. Absent: there is only `archive`. */
  delete?(call: Call<Client>, id: string): Promise<SessionEnd>
}
