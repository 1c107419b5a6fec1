// Simulates the agent's turn: it repeats its input and becomes idle.
import { Type } from 'typebox'
import type { Json, JsonObject } from '../../../core/value/tree.js'
import type { EmulatorContext } from '../../emulator/contract.js'
import { Knob } from '../../emulator/knobs.js'
import type { StoredObject } from '../../emulator/store.js'
import { timeText, withChanges } from './objects.js'

export const turnKnobs = {
  turns: Knob(
    Type.Enum(['complete', 'ask', 'stay']),
    'complete',
    'What a session does with a message: it answers, asks for two tools first, or keeps running.',
  ),
} as const

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
export function takeTurn(
  context: EmulatorContext,
  session: StoredObject,
  events: readonly JsonObject[],
): { readonly session: StoredObject; readonly taken: readonly JsonObject[] } {
  const taken = events.map((event) => addEvent(context, session.id, event))
  const types = events.map(({ type }) => String(type))
  if (types.includes('user.interrupt')) return { session: endTurn(context, session), taken }
  if (!types.some((type) => startsTurn.has(type))) return { session, taken }
  addEvent(context, session.id, { type: 'session.status_running' })
  const running = context.store.put(withChanges(session, context, { status: 'running' }))
  if (context.ownKnobs['turns'] === 'stay') return { session: running, taken }
  if (context.ownKnobs['turns'] === 'ask' && types.includes('user.message')) {
    for (const use of askedFor) addEvent(context, session.id, { ...use, evaluated_permission: 'ask' })
  }
  const open = openUses(context, session.id)
  if (open.length > 0) return { session: rest(context, running, { type: 'requires_action', event_ids: open }), taken }
  const text = `Done: ${events.map(textIn).join(' ')}`.trim()
  addEvent(context, session.id, { type: 'agent.message', content: [{ type: 'text', text }] })
  return { session: endTurn(context, running), taken }
}

const askedFor: readonly JsonObject[] = [
  { type: 'agent.tool_use', name: 'bash', input: { command: 'make test' } },
  { type: 'agent.mcp_tool_use', name: 'search', mcp_server_name: 'docs', input: { query: 'tests' } },
]

/** Returns the uses of tools that nobody has answered. */
export function openUses({ store }: EmulatorContext, sessionId: string): readonly string[] {
  const events = [...store.childrenOf('session_event', sessionId)].map(({ body }) => body)
  const answered = new Set(events.map((event) => event['tool_use_id']))
  return events
    .filter(({ id, evaluated_permission: permission }) => permission === 'ask' && !answered.has(id))
    .map(({ id }) => String(id))
}

function endTurn(context: EmulatorContext, session: StoredObject): StoredObject {
  return rest(context, session, { type: 'end_turn' })
}

function rest(context: EmulatorContext, session: StoredObject, stopReason: JsonObject): StoredObject {
  addEvent(context, session.id, { type: 'session.status_idle', stop_reason: stopReason, stop_details: null })
  return context.store.put(withChanges(session, context, { status: 'idle' }))
}

function textIn({ content }: JsonObject): string {
  const parts: readonly Json[] = Array.isArray(content) ? content : []
  return parts
    .map((part) => (typeof part === 'object' && part !== null && 'text' in part ? String(part.text) : ''))
    .join(' ')
}
