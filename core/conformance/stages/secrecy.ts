// Checks that secrets are only in leaves declared secret, and in nothing that is printed or stored.
import { Connections } from '../../plan/connections.js'
import { fieldOf, partKeyOf } from '../../plan/hasher.js'
import { observedLeaves } from '../../plan/observation.js'
import type { Handler } from '../../plugin/handler.js'
import type { Kind } from '../../plugin/kind.js'
import { placeholdersIn } from '../../value/placeholder.js'
import { isObject, type Json, type LeafPath, leafKeys, leavesOf } from '../../value/tree.js'
import { expectNone } from '../findings.js'
import { labelOf, objectsOf } from '../handled-objects.js'
import { type Stage, stage } from '../stage.js'
import type { Subject } from '../subject.js'

export function secrecyStages({ project: version, provider, kinds, variables = {} }: Subject): readonly Stage[] {
  return [
    stage('`identify` shows no secret', async (world) => {
      const connections = new Connections(await world.engine(version, world.begin()))
      const shown = JSON.stringify(provider.identify(connections.configuration(provider.name)))
      const leaked = Object.entries(variables).flatMap(([name, value]) => (shown.includes(value) ? [name] : []))
      expectNone(leaked, 'people see what `identify` answers, and state is tied to it')
    }),

    stage('leaves for the secrets of a kind are `secret` in `fields`', async (world) => {
      const { plan } = await world.apply({ version })
      const current = await objectsOf(world, version)
      const open = new Set<string>()
      for (const { address, resource } of plan.changes) {
        if (!resource) continue
        const { handler, declaration, desired } = resource
        const secrets = secretsOf(kinds, declaration.kind, declaration.body)
        const wanted = [...leavesOf(desired)].flatMap(([path, value]) =>
          variablesIn(value).map((name) => ({ path, name })),
        )
        const found = current.find((one) => one.address === address)?.found
        const shown = found ? [...observedLeaves(handler, found, new Set(found.parts.keys()))] : []
        const answered = shown.flatMap(([path, value]) =>
          [...secrets].flatMap((name) => (holds(value, variables[name]) ? [{ path, name }] : [])),
        )
        for (const { path, name } of [...wanted, ...answered])
          if (secrets.has(name) && !fieldOf(handler, path).secret)
            open.add(`${placeOf(handler, path)} lacks \`secret: true\`: it holds \${${name}}`)
      }
      expectNone([...open], 'values that are not `secret` are shown and stored')
    }),
  ]
}

/** Returns the variables that a declaration names only where its kind expects secrets. */
function secretsOf(kinds: readonly Kind[], kind: string, body: Json): ReadonlySet<string> {
  const keys = secretKeys(kinds.find((one) => one.kind === kind)?.schema)
  const names = { secret: new Set<string>(), plain: new Set<string>() }
  const visit = (value: Json | undefined, isSecret: boolean): void => {
    if (isObject(value)) for (const [key, member] of Object.entries(value)) visit(member, isSecret || keys.has(key))
    else if (Array.isArray(value)) for (const item of value) visit(item, isSecret)
    else for (const name of variablesIn(value)) names[isSecret ? 'secret' : 'plain'].add(name)
  }
  visit(body, false)
  return new Set([...names.secret].filter((name) => !names.plain.has(name)))
}

/** Returns the keys whose values, or the values of the map there, are secrets. */
function secretKeys(schema: unknown, at?: string): ReadonlySet<string> {
  if (Array.isArray(schema)) return new Set(schema.flatMap((part) => [...secretKeys(part, at)]))
  if (!isObject(schema)) return new Set()
  const own = at !== undefined && schema['x-secret'] === true ? [at] : []
  const below = Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword !== 'properties' || !isObject(value)) return [...secretKeys(value, at)]
    return Object.entries(value).flatMap(([key, member]) => [...secretKeys(member, key)])
  })
  return new Set([...own, ...below])
}

function variablesIn(value: Json | undefined): readonly string[] {
  return placeholdersIn(value).flatMap((found) => (found.type === 'variable' ? [found.name] : []))
}

function holds(value: Json, secret: string | undefined): boolean {
  return secret !== undefined && JSON.stringify(value).includes(secret)
}

/** Returns the member of a field table that covers a leaf. */
function placeOf(handler: Handler, path: LeafPath): string {
  const isOfPart = partKeyOf(handler, path) !== undefined
  const keys = isOfPart ? leafKeys(path).slice(2) : leafKeys(path)
  return `${labelOf(handler)}${isOfPart ? '.parts' : ''}.fields['${keys.join('/')}']`
}
