// Names the handler member that is running, so that findings of the suite can refer to it.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Provider } from '../plugin/provider.js'
import { WatchedSignal } from './watched-signal.js'

/** One call of one member of a handler: `agent.update`. */
export interface MemberCall {
  readonly member: string
  /** Signal passed to the call; undefined if there was none. */
  readonly signal: WatchedSignal | undefined
}

const atWork = new AsyncLocalStorage<MemberCall>()

/** Returns the call in progress. Undefined outside of handlers. */
export function memberAtWork(): MemberCall | undefined {
  return atWork.getStore()
}

/** Returns the provider with handlers that record their calls by name while they run. */
export function watched(provider: Provider): Provider {
  const handlers = provider.handlers.map((handler) => {
    const { kind, api, parts } = handler
    const label = api === undefined ? kind : `${kind} (${api})`
    const own = watchedObject(handler, label)
    return parts === undefined ? own : { ...own, parts: watchedObject(parts, `${label}.parts`) }
  })
  return { ...provider, handlers }
}

function watchedObject<Members extends object>(members: Members, label: string): Members {
  const entries = Object.entries(members).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member]
    const watchedMember = (...values: unknown[]) => {
      const [given, ...others] = values
      const signal = hasSignal(given) ? new WatchedSignal(given.signal) : undefined
      const call: MemberCall = { member: `${label}.${name}`, signal }
      return atWork.run(call, () => {
        const first = hasSignal(given) && signal ? { ...given, signal: signal.signal } : given
        const result: unknown = member.apply(members, values.length === 0 ? [] : [first, ...others])
        return isIterator(result) ? watchedIterator(result, call) : result
      })
    }
    return [name, watchedMember]
  })
  // The copy has the same members, each with the same signature.
  return Object.fromEntries(entries) as Members
}

/** Attributes the requests of a generator to the caller that asks for the next row, because they are sent then. */
function watchedIterator(rows: AsyncIterator<unknown>, call: MemberCall): AsyncIterableIterator<unknown> {
  return {
    next: () => atWork.run(call, () => rows.next()),
    return: async (value?: unknown) => (await rows.return?.(value)) ?? { done: true, value },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function hasSignal(value: unknown): value is { readonly signal: AbortSignal } {
  return typeof value === 'object' && value !== null && 'signal' in value && value.signal instanceof AbortSignal
}

function isIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value
}
