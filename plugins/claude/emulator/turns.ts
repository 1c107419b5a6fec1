// Simulates the agent's turn: it repeats its input and becomes idle.
import type { Json, JsonObject } from '../../../core/value/tree.js'
import type { EmulatorContext } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { changed, timeText } from './objects.js'

/** `complete`: every turn ends at once. `stay`: a session runs until it is interrupted. */
export const turnKnobs = { turns: 'complete' } as const

const startsTurn: ReadonlySet<string> = new Set([
  'user.message',
  'user.define_outcome',
  'user.tool_confirmation',
  'user.custom_tool_result',
  'user.tool_result',
])

export function addEvent(context: EmulatorContext, sessionId: string, event: JsonObject): JsonObject {
  const { store, nowMs } = context
  const id = store.newId('sevt_01')
  const body = { id, ...event, processed_at: timeText(nowMs), created_at: timeText(nowMs) }
  store.insert({ id, collection: 'session_event', parent: sessionId, createdAtMs: nowMs, body })
  return body
}

/** Stores the input, simulates the agent's turn, and returns the input with ids. */
export function take(
  context: EmulatorContext,
  session: StoredObject,
  events: readonly JsonObject[],
): { readonly session: StoredObject; readonly taken: readonly JsonObject[] } {
  const taken = events.map((event) => addEvent(context, session.id, event))
  const types = events.map(({ type }) => String(type))
  if (types.includes('user.interrupt')) return { session: idle(context, session), taken }
  if (!types.some((type) => startsTurn.has(type))) return { session, taken }
  addEvent(context, session.id, { type: 'session.status_running' })
  const running = context.store.put(changed(session, context, { status: 'running' }))
  if (context.ownKnobs['turns'] === 'stay') return { session: running, taken }
  const text = `Done: ${events.map(textIn).join(' ')}`.trim()
  addEvent(context, session.id, { type: 'agent.message', content: [{ type: 'text', text }] })
  return { session: idle(context, running), taken }
}

function idle(context: EmulatorContext, session: StoredObject): StoredObject {
  addEvent(context, session.id, { type: 'session.status_idle', stop_reason: { type: 'end_turn' } })
  return context.store.put(changed(session, context, { status: 'idle' }))
}

function textIn({ content }: JsonObject): string {
  const parts: readonly Json[] = Array.isArray(content) ? content : []
  return parts
    .map((part) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join(' ')
}
