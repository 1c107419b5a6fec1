// Events of emulated sessions: input, a short run in response, the history, and the stream.
import { type Static, Type } from 'typebox'
import type { Json, JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, listAnswer, newId, pageQuery, requireObject, withChanges } from './objects.js'
import { Exact, Maybe } from './schema.js'

const Content = Type.Array(Exact({ type: Type.Literal('text'), text: Type.String({ minLength: 1 }) }), { minItems: 1 })
const Rubric = Type.Union([
  Exact({ type: Type.Literal('text'), content: Type.String({ minLength: 1 }) }),
  Exact({ type: Type.Literal('file'), file_id: Type.String({ minLength: 1 }) }),
])
const Answered = { content: Maybe(Content), is_error: Maybe(Type.Boolean()) }

const Event = Type.Union([
  Exact({ type: Type.Literal('user.message'), content: Content }),
  Exact({ type: Type.Literal('system.message'), content: Content }),
  Exact({ type: Type.Literal('user.interrupt') }),
  Exact({
    type: Type.Literal('user.tool_confirmation'),
    tool_use_id: Type.String(),
    result: Type.Enum(['allow', 'deny']),
    deny_message: Maybe(Type.String()),
  }),
  Exact({ type: Type.Literal('user.tool_result'), tool_use_id: Type.String(), ...Answered }),
  Exact({ type: Type.Literal('user.custom_tool_result'), custom_tool_use_id: Type.String(), ...Answered }),
  Exact({
    type: Type.Literal('user.define_outcome'),
    description: Maybe(Type.String()),
    rubric: Rubric,
    max_iterations: Maybe(Type.Integer({ minimum: 1, maximum: 20 })),
  }),
])
type Event = Static<typeof Event>

const Send = Exact({ events: Type.Array(Event, { minItems: 1 }) })

const History = Exact({
  ...pageQuery,
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
  /** Types of events, separated by commas. */
  types: Type.Optional(Type.String()),
  'created_at[gt]': Type.Optional(Type.String()),
  'created_at[gte]': Type.Optional(Type.String()),
})

/** Types of events that start a run. */
const waking: ReadonlySet<string> = new Set(['user.message', 'user.define_outcome', 'user.tool_confirmation'])

export const sessionEvents: Collection = { kind: 'session_event', isTopLevel: false, isPermanent: true }

const path = '/sessions/:id/events'

export const sessionEventRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path,
    body: Send,
    handle(request) {
      const session = requireObject(request, 'sessions', request.params['id'])
      const { events } = request.body
      checkSystemMessage(events)
      for (const event of events) {
        if (event.type === 'user.tool_confirmation' && !openUses(request, session).includes(event.tool_use_id))
          throw refuse('invalid', 'tool_use_id does not wait for a confirmation', { param: 'events' })
      }
      for (const event of events) add(request, session, event)
      if (events.some(({ type }) => type === 'user.interrupt')) rest(request, session, 'end_turn')
      if (events.some(({ type }) => waking.has(type)))
        run(
          request,
          session,
          events.some(({ type }) => type === 'user.message'),
        )
      return { body: { success: true } }
    },
  }),
  route({
    method: 'GET',
    path,
    query: History,
    handle(request) {
      const session = requireObject(request, 'sessions', request.params['id'])
      const { types, order = 'asc', ...query } = request.query
      const wanted = types === undefined ? undefined : new Set<Json | undefined>(types.split(','))
      const [after, from] = [query['created_at[gt]'] ?? '', query['created_at[gte]'] ?? '']
      const fitting = [...request.store.childrenOf('sessionEvents', session.id)].filter(
        ({ body }) =>
          (wanted?.has(body['type']) ?? true) &&
          String(body['created_at']) > after &&
          String(body['created_at']) >= from,
      )
      return listAnswer(fitting, { ...query, order })
    },
  }),
  route({
    method: 'GET',
    path: `${path}/stream`,
    handle(request) {
      const session = requireObject(request, 'sessions', request.params['id'])
      return { stream: frames(request.store.inserted('sessionEvents', session.id, request.signal)) }
    },
  }),
]

/** Yields server-sent events of future events. They have no `event:` line, because the data contains the type. */
async function* frames(events: AsyncIterable<StoredObject>): AsyncGenerator<string> {
  yield ': ready\n\n'
  for await (const { body } of events) yield `data: ${JSON.stringify(body)}\n\n`
}

function checkSystemMessage(events: readonly Event[]): void {
  const place = events.findIndex(({ type }) => type === 'system.message')
  if (place < 0) return
  if (place !== events.length - 1 || events[place - 1]?.type !== 'user.message')
    throw refuse('invalid', 'system.message must be last, right after a user.message', { param: 'events' })
}

/** Simulates a run, whose answer is always the same. With the knob `sessionsKeepRunning` the run does not end. */
function run(context: EmulatorContext, session: StoredObject, isAsked: boolean): void {
  setStatus(context, session, 'running')
  add(context, session, { type: 'session.status_running' })
  if (context.ownKnobs['sessionsKeepRunning'] === true) return
  if (isAsked && context.ownKnobs['sessionsAsk'] === true)
    add(context, session, {
      type: 'agent.tool_use',
      name: 'bash',
      input: { command: 'make test' },
      evaluated_permission: 'ask',
    })
  const open = openUses(context, session)
  if (open.length > 0) {
    rest(context, session, 'requires_action', { event_ids: [...open] })
    return
  }
  add(context, session, { type: 'agent.message', content: [{ type: 'text', text: 'Done (emulated).' }] })
  rest(context, session, 'end_turn')
}

/** Returns the uses of tools that nobody has answered. */
function openUses({ store }: EmulatorContext, session: StoredObject): readonly string[] {
  const events = [...store.childrenOf('sessionEvents', session.id)].map(({ body }) => body)
  const answered = new Set(events.map((event) => event['tool_use_id']))
  return events
    .filter(({ id, evaluated_permission: permission }) => permission === 'ask' && !answered.has(id))
    .map(({ id }) => String(id))
}

function rest(context: EmulatorContext, session: StoredObject, reason: string, facts: JsonObject = {}): void {
  setStatus(context, session, 'idle')
  add(context, session, { type: 'session.status_idle', stop_reason: { type: reason, ...facts } })
}

function setStatus(context: EmulatorContext, session: StoredObject, status: string): void {
  context.store.put(withChanges(requireObject(context, 'sessions', session.id), context, { status }))
}

function add(context: EmulatorContext, session: StoredObject, event: JsonObject): void {
  const id = newId(context, 'sevt')
  context.store.insert({
    id,
    collection: 'sessionEvents',
    parent: session.id,
    createdAtMs: context.nowMs,
    body: { id, ...event, created_at: iso(context.nowMs) },
  })
}
