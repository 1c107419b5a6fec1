// The contract for running agents, for `agents session`.

import type { Json, JsonObject, Tree } from '../value/tree.js'
import type { Declaration } from './declaration.js'
import type { Call, Remote } from './handler.js'
import type { Scope } from './scope.js'

/** Additions of the command line to the declaration of the agent; resources by logical names. */
export interface SessionRequest {
  readonly identity?: string
  readonly environment?: string
  readonly vaults: readonly string[]
  readonly memoryStores: readonly string[]
  readonly tunnel?: string
  readonly files: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly title?: string
  /** Most that the session may cost, in dollars. Only providers that take budgets get one. */
  readonly budget?: number
}

/** End of a session: some providers cannot remove a session with its history. */
export type SessionEnd = 'deleted' | 'archived'

/** A use of a tool in a session. */
export interface ToolUse {
  /** Id by which it is answered. */
  readonly id: string
  readonly name: string
  readonly input?: Json
  /** What the session needs to go on, if it waits for this use: a permission, or a result that a program returns. */
  readonly awaits: 'permission' | 'result'
}

/** Answer to a tool that asks for permission. */
export interface ToolAnswer {
  readonly id: string
  readonly isAllowed: boolean
  /** What the agent is told when it is refused. */
  readonly message?: string
}

/** What an event says to whoever runs the session. */
export type SessionSign =
  /** The agent said something. `id`: that of its parts, if they were sent before. */
  | { readonly type: 'says'; readonly text: string; readonly id?: string }
  /** A part of what the agent is saying, while it is written. */
  | { readonly type: 'writes'; readonly text: string; readonly id: string }
  | { readonly type: 'uses'; readonly tool: ToolUse }
  /** A tool was answered or has run. */
  | { readonly type: 'settles'; readonly id: string }
  | { readonly type: 'runs' }
  /** The turn is over. `waitsFor`: ids of the uses of tools that it waits for; absent = those that are not settled. */
  | { readonly type: 'rests'; readonly reason: 'done' | 'asks'; readonly waitsFor?: readonly string[] }
  /** The turn is over without a result, for this reason of the provider. */
  | { readonly type: 'fails'; readonly reason: string }
  /** The session is over. */
  | { readonly type: 'ends' }

export interface SessionUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** Cost at list prices, in units of the currency: `0.25`. */
  readonly cost?: { readonly amount: string; readonly currency: string }
}

/** A file that a session has made. */
export interface MadeFile {
  readonly id: string
  /** Name that the agent gave it. It may be anything. */
  readonly name: string
  readonly sizeBytes?: number
  readonly createdAt?: string
}

/** Filter of a list of sessions. */
export interface SessionFilter {
  readonly agentId?: string | undefined
  readonly status?: string | undefined
}

export interface EventOptions {
  /** True to go on with events to come. */
  readonly follow: boolean
  /** True to get parts of messages while they are written, if the provider sends them. */
  readonly asWritten?: boolean
}

export interface Sessions<Client> {
  /**
   * Returns the body to send, with placeholders. Pure. Throws a `Problem`, before any call, for a request that a rule
   * forbids.
   */
  request(agent: Declaration, request: SessionRequest, scope: Scope): Tree
  /** True if a request may have a budget. Absent: it is refused. */
  readonly takesBudget?: true
  /** Creates a session. Every session returned by these functions has an `id`. */
  create(call: Call<Client>, body: Tree): Promise<Remote>
  /** Yields only sessions that fit the filter, whose status is one of `statuses`. */
  list(call: Call<Client>, filter?: SessionFilter): AsyncIterable<Remote>
  /** Words of the API for how a session stands. Absent: lists have no filter for it. */
  readonly statuses?: readonly string[]
  read(call: Call<Client>, id: string): Promise<Remote>
  send(call: Call<Client>, id: string, text: string): Promise<Remote>
  /** Mounts an uploaded file into a session that exists. Absent: files are named when a session is created. */
  attach?(call: Call<Client>, id: string, file: { readonly id: string; readonly name: string }): Promise<Remote>
  /** Yields the files that the session has made, newest first. Absent: they cannot be read. */
  files?(call: Call<Client>, id: string): AsyncIterable<MadeFile>
  /** Returns the bytes of a file from `files`. Throws `ContentRefused` if it is too large. */
  download?(call: Call<Client>, file: MadeFile): Promise<Uint8Array>
  events(call: Call<Client>, id: string, options: EventOptions): AsyncIterable<JsonObject>
  /** Returns what an event says; undefined = nothing. Pure. Absent: a session can only be watched, not run. */
  sign?(event: JsonObject): SessionSign | undefined
  /** Answers tools that ask for permission. Absent: the provider takes no answers. */
  confirm?(call: Call<Client>, id: string, answers: readonly ToolAnswer[]): Promise<Remote>
  /** Returns what a session has used so far, as its provider tells it. Pure. */
  usage?(session: Remote): SessionUsage | undefined
  /** Ends the session. The provider keeps its history. */
  archive(call: Call<Client>, id: string): Promise<void>
  /** Ends the session and removes its history if possible. Absent: there is only `archive`. */
  delete?(call: Call<Client>, id: string): Promise<SessionEnd>
}
