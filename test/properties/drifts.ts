// Random changes of an object by another client: a leaf, a list entry or a reference is changed, added or removed. Derived
// from the current object, so that they fit the shapes of every provider.

import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import { createdBy } from '../../plugins/qoder/wire.js'

export interface AccountObject {
  readonly id: string
  readonly provider: string
  readonly kind: string
  readonly body: JsonObject
}

/** Returns bodies to merge into the object. `texts`: values for free text. */
export function driftsOf(
  object: AccountObject,
  account: readonly AccountObject[],
  texts: readonly string[],
): readonly JsonObject[] {
  const { body, kind } = object
  return [
    ...textDrifts(body, texts),
    ...mapDrifts('metadata', body['metadata'], texts),
    ...mapDrifts('environment_variables', body['environment_variables'], texts),
    ...configDrifts(body['config']),
    ...(kind === 'agent' ? agentDrifts(object, account) : []),
    ...(kind === 'deployment' ? deploymentDrifts(body, texts) : []),
  ]
}

const freeTexts = ['description', 'display_name', 'system'] as const

function textDrifts(body: JsonObject, texts: readonly string[]): readonly JsonObject[] {
  return freeTexts
    .filter((name) => typeof body[name] === 'string')
    .flatMap((name) =>
      // One provider has two names for the instructions.
      texts.map((text) =>
        name === 'system' && 'instructions' in body ? { system: text, instructions: text } : { [name]: text },
      ),
    )
}

function mapDrifts(name: string, value: Json | undefined, texts: readonly string[]): readonly JsonObject[] {
  if (!isObject(value)) return []
  const own = Object.keys(value).filter((key) => !isServers(key))
  const whole = [
    ...own.map((key) => [key, null] as const),
    ...[...own, 'OUTSIDE'].flatMap((key) => texts.map((text) => [key, text] as const)),
  ]
  return whole.map(([key, text]) => ({ [name]: { [key]: text } }))
}

function configDrifts(config: Json | undefined): readonly JsonObject[] {
  const packages = isObject(config) && isObject(config['packages']) ? config['packages'] : undefined
  if (!packages) return []
  const of = (manager: string, list: readonly Json[]) => ({ config: { packages: { [manager]: list } } })
  return ['npm', 'pip'].flatMap((manager) => {
    const list = listOf(packages[manager])
    return [of(manager, [...list, 'left-pad']), of(manager, list.slice(1)), of(manager, [...list].reverse())]
  })
}

function agentDrifts({ body, provider }: AccountObject, account: readonly AccountObject[]): readonly JsonObject[] {
  const skills = listOf(body['skills'])
  const others = account
    .filter((one) => one.provider === provider && one.kind === 'agent')
    .flatMap((one) => listOf(one.body['skills']))
  const tools = listOf(body['tools']).filter(isObject)
  const isOther = (one: Json) => !skills.some((skill) => idIn(skill) === idIn(one))
  return [
    ...without(skills).map((list) => ({ skills: list })),
    ...others.filter(isOther).map((one) => ({ skills: [...skills, one] })),
    ...tools.flatMap((tool, index) =>
      without(listOf(tool['configs'])).map((configs) => ({ tools: tools.with(index, { ...tool, configs }) })),
    ),
  ]
}

function deploymentDrifts(body: JsonObject, texts: readonly string[]): readonly JsonObject[] {
  const resources = listOf(body['resources']).filter(isObject)
  const events = listOf(body['initial_events']).filter(isObject)
  const started = events.flatMap((event) =>
    texts.map((text): JsonObject => ({ ...event, content: [{ type: 'text', text }] })),
  )
  return [
    ...without(resources).map((list) => ({ resources: list })),
    ...resources.flatMap((one, index) => {
      const path = one['mount_path']
      if (typeof path !== 'string') return []
      const moved = { ...one, mount_path: path.replace('topics', 'other') }
      return [{ resources: resources.with(index, moved) }, { resources: [...resources, moved] }]
    }),
    ...started.flatMap((event) => [{ initial_events: [event] }, { initial_events: [...events, event] }]),
    ...(listOf(body['vault_ids']).length > 0 ? [{ vault_ids: [] }] : []),
    ...(isObject(body['schedule']) ? [{ schedule: { expression: '30 6 * * 1' } }] : []),
  ]
}

/** Marks of this project and of the service, which are not changed: the object would no longer be recognised. */
function isServers(key: string): boolean {
  return key.startsWith('agents.') || key === createdBy
}

/** Returns the list without one item, for each item. */
function without(list: readonly Json[]): readonly (readonly Json[])[] {
  return list.map((_, index) => list.toSpliced(index, 1))
}

function idIn(skill: Json): Json | undefined {
  return isObject(skill) ? skill['skill_id'] : undefined
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
