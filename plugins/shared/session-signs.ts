// What the events of a session say, for the three APIs whose events have types such as `agent.message`.
import type { SessionSign, SessionUsage, ToolAnswer } from '../../core/plugin/sessions.js'
import type { Json, JsonObject } from '../../core/value/tree.js'
import { objectOf, objectsOf, textOf } from './wire.js'

/** How a session stands, in the words of all four APIs. */
export const sessionStatuses = ['idle', 'running', 'rescheduling', 'terminated'] as const

const readers: Readonly<Record<string, (event: JsonObject) => SessionSign | undefined>> = {
  'agent.message': ({ id, content }) => ({
    type: 'says',
    text: textIn(content),
    ...(typeof id === 'string' ? { id } : {}),
  }),
  'agent.tool_use': (event) => toolUse(event, 'permission'),
  'agent.mcp_tool_use': (event) => toolUse(event, 'permission'),
  'agent.custom_tool_use': (event) => toolUse(event, 'result'),
  'agent.tool_result': ({ tool_use_id: id }) => ({ type: 'settles', id: textOf(id) }),
  'agent.mcp_tool_result': ({ mcp_tool_use_id: id }) => ({ type: 'settles', id: textOf(id) }),
  'user.tool_confirmation': ({ tool_use_id: id }) => ({ type: 'settles', id: textOf(id) }),
  'user.tool_result': ({ tool_use_id: id }) => ({ type: 'settles', id: textOf(id) }),
  'user.custom_tool_result': ({ custom_tool_use_id: id }) => ({ type: 'settles', id: textOf(id) }),
  'session.status_running': () => ({ type: 'runs' }),
  'session.status_idle': ({ stop_reason: reason }) => rest(objectOf(reason)),
  'session.status_terminated': () => ({ type: 'ends' }),
  'session.deleted': () => ({ type: 'ends' }),
  event_delta: ({ event_id: id, delta }) => ({
    type: 'writes',
    id: textOf(id),
    text: textOf(objectOf(objectOf(delta)['content'])['text']),
  }),
}

export function sessionSign(event: JsonObject): SessionSign | undefined {
  return readers[textOf(event['type'])]?.(event)
}

/** Returns the events that answer tools which ask for permission. */
export function confirmations(answers: readonly ToolAnswer[]): readonly JsonObject[] {
  return answers.map(({ id, isAllowed, message }) => ({
    type: 'user.tool_confirmation',
    tool_use_id: id,
    result: isAllowed ? 'allow' : 'deny',
    ...(isAllowed || message === undefined ? {} : { deny_message: message }),
  }))
}

/** Reads the tokens of a session, and its cost in minor units of the currency where there is one. */
export function sessionUsage({ usage }: JsonObject): SessionUsage | undefined {
  const { input_tokens: input, output_tokens: output, list_cost: cost } = objectOf(usage)
  const { amount, currency } = objectOf(cost)
  const found: SessionUsage = {
    ...(typeof input === 'number' ? { inputTokens: input } : {}),
    ...(typeof output === 'number' ? { outputTokens: output } : {}),
    ...(typeof amount === 'string' && typeof currency === 'string'
      ? { cost: { amount: inUnits(amount, currency), currency } }
      : {}),
  }
  return Object.keys(found).length === 0 ? undefined : found
}

function toolUse({ id, name, input }: JsonObject, awaits: 'permission' | 'result'): SessionSign {
  return {
    type: 'uses',
    tool: { id: textOf(id), name: textOf(name), awaits, ...(input === undefined ? {} : { input }) },
  }
}

function rest({ type, event_ids: ids }: JsonObject): SessionSign {
  const reason = textOf(type)
  if (reason === 'requires_action') {
    const waitsFor = Array.isArray(ids) ? { waitsFor: ids.map(String) } : {}
    return { type: 'rests', reason: 'asks', ...waitsFor }
  }
  return reason === 'end_turn' || reason === '' ? { type: 'rests', reason: 'done' } : { type: 'fails', reason }
}

function textIn(content: Json | undefined): string {
  return objectsOf(content)
    .map(({ text }) => textOf(text))
    .join('')
}

/** Moves the point without rounding: `2500` of USD is `25.00`. */
function inUnits(amount: string, currency: string): string {
  const digits = fractionDigits(currency)
  if (digits === 0 || !/^\d+$/.test(amount)) return amount
  const padded = amount.padStart(digits + 1, '0')
  return `${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}

function fractionDigits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
