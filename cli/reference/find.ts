// Finds what a dotted path means: `agent`, `agents.tools.mcp`, `agents.helper.budget`, `agent.resources.git_repository.url`.
import type { ExplainedKey, Topic } from './reference.js'

export type FindResult =
  | { readonly type: 'topic'; readonly topic: Topic }
  /** Several keys if the forms of a union have a key of the same name. */
  | { readonly type: 'keys'; readonly topic: Topic; readonly keys: readonly ExplainedKey[] }
  /** `known` are the paths that may have been meant. */
  | { readonly type: 'nothing'; readonly known: readonly string[] }

export function findPath(topics: readonly Topic[], written: string): FindResult {
  const path = normal(written)
  const topic = topics.find((one) => namesOf(one).some((name) => path === name || path.startsWith(`${name}.`)))
  if (!topic) return { type: 'nothing', known: topics.map(({ name }) => name) }
  const name = namesOf(topic).find((one) => path === one || path.startsWith(`${one}.`)) ?? topic.name
  const rest = path.slice(name.length + 1)
  if (rest === '' || `${name}.${rest}` === topic.place) return { type: 'topic', topic }
  const all = allKeys(topic.keys)
  // A path of the file has the section, the name of a declaration and the key.
  const isNamed = name !== topic.name && topic.place.endsWith('.NAME')
  const keys = keysAt(all, rest) ?? (isNamed ? keysAt(all, rest.slice(rest.indexOf('.') + 1)) : undefined)
  if (keys) return { type: 'keys', topic, keys }
  return { type: 'nothing', known: all.map((key) => `${topic.name}.${key.segments.join('.')}`) }
}

function keysAt(all: readonly ExplainedKey[], path: string): readonly ExplainedKey[] | undefined {
  const exact = all.filter((key) => key.segments.join('.') === path)
  const found = exact.length > 0 ? exact : all.filter((key) => normal(key.path.replaceAll(/\[[^\]]*\]/g, '')) === path)
  return found.length > 0 ? found : undefined
}

/** Returns every key and those below it, in order. */
export function allKeys(keys: readonly ExplainedKey[]): readonly ExplainedKey[] {
  return keys.flatMap((key) => [key, ...allKeys(key.members)])
}

function namesOf({ name, aliases }: Topic): readonly string[] {
  return [name, ...aliases]
}

/**
 * Normalises a path; paths of the reference itself are accepted too: `tools.mcp[].configs`, `delivery.<provider>.type`.
 */
function normal(path: string): string {
  return path
    .replaceAll(/\[([^\]]*)\]/g, (_, form: string) => (form === '' ? '' : `.${form}`))
    .replaceAll(/\.<[^>]*>/g, '')
}
