// The turn of a session, read from the signs of its events: what runs, and what it waits for.
import type { SessionSign, ToolUse } from '../plugin/sessions.js'

/** How a turn stands. `failed` has the provider's reason. */
export type TurnState =
  | { readonly type: 'none' | 'running' | 'done' | 'waiting' | 'ended' }
  | { readonly type: 'failed'; readonly reason: string }

export class Turn {
  readonly #tools = new Map<string, ToolUse>()
  #open = new Set<string>()
  #waitsFor: readonly string[] = []
  #state: TurnState = { type: 'none' }

  /** Takes the sign of the next event, and returns how the turn stands. */
  take(sign: SessionSign): TurnState {
    if (sign.type === 'settles') this.#open.delete(sign.id)
    else if (sign.type === 'ends') this.#state = { type: 'ended' }
    else if (sign.type === 'fails') this.#state = { type: 'failed', reason: sign.reason }
    else if (sign.type === 'rests') this.#rest(sign)
    else {
      this.#state = { type: 'running' }
      if (sign.type !== 'uses') return this.#state
      this.#tools.set(sign.tool.id, sign.tool)
      this.#open.add(sign.tool.id)
    }
    return this.#state
  }

  get state(): TurnState {
    return this.#state
  }

  get isWaiting(): boolean {
    return this.#state.type === 'waiting'
  }

  /** Uses of tools that the session waits for, while it does. */
  get waitsFor(): readonly ToolUse[] {
    if (!this.isWaiting) return []
    const open = this.#waitsFor.filter((id) => this.#open.has(id) || !this.#tools.has(id))
    return open.map((id) => this.#tools.get(id) ?? { id, name: 'a tool', awaits: 'permission' })
  }

  /** A session that rests before its first turn has done nothing yet. */
  #rest({ reason, waitsFor }: SessionSign & { readonly type: 'rests' }): void {
    if (this.#state.type === 'none') return
    this.#waitsFor = reason === 'asks' ? (waitsFor ?? [...this.#open]) : []
    this.#state = { type: reason === 'asks' ? 'waiting' : 'done' }
  }
}
