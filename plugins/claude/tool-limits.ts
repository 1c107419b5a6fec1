// Limits of tools and custom tools, between agents.yaml, the compared tree and the wire. In the tree, each limit is a leaf
// below the name of its tool, and the schema of a custom tool is one leaf: a list with one element.
import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { ToolsBody } from '../kinds/tool-permissions.js'
import { others } from '../shared/tool-policies.js'
import { objectOf, objectsOf } from '../shared/wire.js'

const listNames = ['allowed_domains', 'blocked_domains'] as const

export function desiredLimits({ limits }: Partial<ToolsBody>): Tree {
  return { ...limits } as Tree
}

export function observedLimits(set: JsonObject | undefined): Tree {
  return Object.fromEntries(
    objectsOf(set?.['configs']).map((config) => {
      const { name, allowed_domains, blocked_domains, max_content_tokens, url_sources, user_location } = config
      const { type: _, ...location } = objectOf(user_location)
      const sources = Object.entries(objectOf(url_sources)).map(([from, source]) => [from, observedSource(source)])
      return [
        String(name),
        {
          allowed_domains,
          blocked_domains,
          max_content_tokens,
          url_sources: Object.fromEntries(sources),
          user_location: location,
        },
      ]
    }),
  )
}

/** Returns the members of a tool's entry on the wire. */
export function wireLimits(limits: Json | undefined): JsonObject {
  const { max_content_tokens, url_sources, user_location, ...lists } = objectOf(limits)
  const sources = Object.entries(objectOf(url_sources)).map(([from, source]) => [from, wireSource(source)])
  return {
    ...Object.fromEntries(listNames.flatMap((name) => (isEmpty(lists[name]) ? [] : [[name, lists[name]]]))),
    ...(isEmpty(max_content_tokens) ? {} : { max_content_tokens }),
    ...(isEmpty(url_sources) ? {} : { url_sources: Object.fromEntries(sources) }),
    ...(isEmpty(user_location) ? {} : { user_location: { type: 'approximate', ...objectOf(user_location) } }),
  }
}

function observedSource(source: Json | undefined): Json {
  const { type, tools } = objectOf(source)
  if (typeof type !== 'string') return null
  return type === 'only' || type === 'except' ? { [type]: objectsOf(tools).map(({ name }) => name ?? null) } : type
}

function wireSource(source: Json | undefined): Json {
  const [[type, names] = []] = Object.entries(objectOf(source))
  if (type === undefined || !Array.isArray(names)) return typeof source === 'string' ? { type: source } : null
  return { type, tools: names.map((name: Json) => ({ type: 'tool_reference', name })) }
}

export function desiredCustom({ custom }: Partial<ToolsBody>): Tree {
  return Object.fromEntries(
    (custom ?? []).map(({ name, description, input_schema }) => [name, { description, input_schema: [input_schema] }]),
  )
}

export function observedCustom(tools: Json | undefined): Tree {
  const custom = objectsOf(tools).filter(({ type }) => type === 'custom')
  return Object.fromEntries(
    custom.map(({ name, description, input_schema }) => [
      String(name),
      { description, input_schema: [input_schema ?? null] },
    ]),
  )
}

export function wireCustom(tools: Json | undefined): readonly JsonObject[] {
  return Object.entries(objectOf(tools)).map(([name, tool]) => {
    const { description, input_schema } = objectOf(tool)
    const [schema] = Array.isArray(input_schema) ? input_schema : []
    return { type: 'custom', name, description: description ?? '', input_schema: schema ?? null }
  })
}

/**
 * Returns `limits` and `custom` as agents.yaml has them; no members where there are none. Limits of a tool that is off
 * are left out, because nothing declares them; they stay.
 */
export function declaredLimits({ builtin, limits, custom }: JsonObject): JsonObject {
  const enabled = objectOf(builtin)
  const isEnabled = (name: string) => Object.hasOwn(enabled, name) || Object.hasOwn(enabled, others)
  const ofTools = Object.entries(objectOf(limits)).filter(([name, one]) => !isEmpty(one) && isEnabled(name))
  const tools = wireCustom(custom).map(({ type: _, ...tool }) => tool)
  return {
    ...(ofTools.length === 0 ? {} : { limits: Object.fromEntries(ofTools.map(([name, one]) => [name, present(one)])) }),
    ...(tools.length === 0 ? {} : { custom: tools }),
  }
}

/** Returns the value without empty members, which a declaration leaves out. */
function present(value: Json | undefined): Json {
  if (!isObject(value)) return value ?? null
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member))
  return Object.fromEntries(members.map(([name, member]) => [name, present(member)]))
}
