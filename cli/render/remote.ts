// Renders objects of providers: a line in a list, and events.
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import type { Style } from './style.js'
import { columns, visible, visibleLines } from './text.js'

/** Members that identify an object in a list, in order of preference. */
const identifyingMembers = ['id', 'status', 'title', 'name', 'created_at'] as const

export function renderRemotes(remotes: readonly JsonObject[]): string {
  const present = identifyingMembers.filter((member) => remotes.some((remote) => !isNothing(remote[member])))
  return columns(remotes.map((remote) => present.map((member) => short(remote[member]))))
}

/** Renders an event: `12:30:05  agent.message  Hello.` */
export function renderEvent(event: JsonObject, style: Style): string {
  const at = event['created_at'] ?? event['processed_at']
  const time = typeof at === 'string' && at !== '' ? style.dim(`${visible(at)}  `) : ''
  const type = style.bold(short(event['type'] ?? event['event'] ?? 'event'))
  const text = textOf(event['content'] ?? event['message'])
  const content = text === '' ? JSON.stringify(withoutPrinted(event)) : text
  return `${time}${type}  ${visibleLines(content)}`
}

/** Returns the text blocks of a message. */
function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).filter(Boolean).join('\n')
  return isObject(content) && typeof content['text'] === 'string' ? content['text'] : ''
}

function withoutPrinted({ id: _id, type: _type, created_at: _at, ...rest }: JsonObject): JsonObject {
  return rest
}

function short(value: Json | undefined): string {
  if (isNothing(value)) return '-'
  return visible((typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\n', ' '))
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === ''
}
