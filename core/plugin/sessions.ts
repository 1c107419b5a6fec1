// The contract for running an agent: what a provider needs to offer `agents session`.

import type { JsonObject, Tree } from '../value/tree.js'
import type { Declaration } from './declaration.js'
import type { Call, Remote } from './handler.js'
import type { Scope } from './scope.js'

/** Additions of the command line to what the agent declares. Names are logical. */
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

/** How a session ended: not every one can be removed with its history. */
export type SessionEnd = 'deleted' | 'archived'

export interface Sessions<Client> {
  /** Pure: the body to send, with placeholders. Refuses by throwing a `Problem` what a rule forbids, before any call. */
  request(agent: Declaration, request: SessionRequest, scope: Scope): Tree
  /** Like every session answered here, it has an `id`. */
  create(call: Call<Client>, body: Tree): Promise<Remote>
  list(call: Call<Client>, agentId?: string): AsyncIterable<Remote>
  read(call: Call<Client>, id: string): Promise<Remote>
  send(call: Call<Client>, id: string, text: string): Promise<Remote>
  events(call: Call<Client>, id: string, options: { readonly follow: boolean }): AsyncIterable<JsonObject>
  /** Ends it; its history stays where the provider keeps one. */
  archive(call: Call<Client>, id: string): Promise<void>
  /** Ends it and removes its history where that can be. Absent: `archive` is all there is. */
  delete?(call: Call<Client>, id: string): Promise<SessionEnd>
}
