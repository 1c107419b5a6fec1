// Simulates the agent's turn: it reports that it is done and becomes idle.
import { Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import type { EmulatorContext } from '../../emulator/contract.js'
import { Knob } from '../../emulator/knobs.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, mergeMembers } from './objects.js'

export const turnKnobs = {
  turns: Knob(
    Type.Enum(['complete', 'stay']),
    'complete',
    'What a session does with a message: it answers, or keeps running.',
  ),
} as const

/** Stores the input, simulates the agent's turn, and returns the input as events. */
export function takeTurn(
  context: EmulatorContext,
  session: StoredObject,
  input: readonly JsonObject[],
): readonly JsonObject[] {
  const taken = input.map((event) => addEvent(context, session.id, event))
  if (input.some(({ type }) => type === 'interrupt')) {
    setStatus(context, session, 'idle', { type: 'end_turn' })
    return taken
  }
  setStatus(context, session, 'running')
  if (context.ownKnobs['turns'] === 'stay') return taken
  const text = `Done: ${input.flatMap(textIn).join(' ')}`.trim()
  addEvent(context, session.id, { type: 'message', role: 'assistant', content: [{ type: 'text', text }] })
  setStatus(context, session, 'idle', { type: 'end_turn' })
  return taken
}

function setStatus(context: EmulatorContext, { id }: StoredObject, status: string, stopReason?: JsonObject): void {
  const current = context.store.find('sessions', id)
  if (!current) return
  mergeMembers(context, current, { status })
  tellStatus(context, id, status, stopReason)
}

export function tellStatus(context: EmulatorContext, id: string, status: string, stopReason?: JsonObject): void {
  const data = { session_status: status, ...(stopReason ? { stop_reason: stopReason } : {}) }
  addEvent(context, id, { type: 'session_status', content: [{ type: 'data', data }] })
}

function addEvent({ store, nowMs }: EmulatorContext, sessionId: string, event: JsonObject): JsonObject {
  const id = store.newId('evt_', 24)
  const body = {
    object: 'event',
    status: 'completed',
    id,
    role: null,
    content: [],
    ...event,
    metadata: {},
    is_error: false,
    created_at: iso(nowMs),
    sequence_number: [...store.childrenOf('session_events', sessionId)].length + 1,
    session_thread_id: null,
    code: null,
    message: null,
  }
  store.insert({ id, collection: 'session_events', parent: sessionId, createdAtMs: nowMs, body })
  return body
}

function textIn({ content }: JsonObject): readonly string[] {
  const parts: readonly Json[] = Array.isArray(content) ? content : []
  return parts.flatMap((part) => (isObject(part) && typeof part['text'] === 'string' ? [part['text']] : []))
}
