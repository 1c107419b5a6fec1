// Recognises objects of ours that sync derives no declaration from (uploads) and that state does not contain, because
// it was lost: by their mark, or else by the objects that refer to them and by all their visible members.
import { explainingFailures } from '../actions/failures.js'
import { contentOf } from '../declaration/content.js'
import type { Resource } from '../graph/resource.js'
import { buildResources } from '../graph/resources.js'
import type { Connections } from '../plan/connections.js'
import { fieldOf } from '../plan/hasher.js'
import { markOf } from '../plan/marks.js'
import type { EngineOptions } from '../plan/options.js'
import { observe } from '../plan/refresh.js'
import type { Remote } from '../plugin/handler.js'
import type { Neighbours } from '../state/neighbours.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import { canonical, leavesOf } from '../value/tree.js'
import { addressOf, type Discovered } from './discover.js'
import { requestedBy } from './requested.js'

export interface RecogniseRequest extends EngineOptions {
  readonly providers: readonly string[]
  readonly connections: Connections
  readonly rows: ReadonlyMap<Address, Row>
  readonly neighbours: Neighbours
  readonly projectName: string
  readonly signal: AbortSignal
  readonly names: ReadonlyMap<Discovered, string>
}

export interface Recognition {
  readonly address: Address
  /** Row of the object, as state would contain it before any leaf was compared. */
  readonly row: Row & { readonly id: string }
}

export async function recognise(request: RecogniseRequest): Promise<readonly Recognition[]> {
  const { project, registry, projectName, providers } = request
  const rows = new Map([...request.rows, ...[...request.names].map(placeholder)])
  const { all } = buildResources({ project, registry, projectName, rows, targets: (one) => one.providers.names })
  const wanted = [...all.values()].filter(
    (resource) => isWanted(resource, rows) && providers.includes(resource.provider),
  )
  const found = new Map<Address, Recognition>()
  if (wanted.length === 0) return []
  const taken = new Set([...rows.values(), ...request.neighbours.values()].map(({ id }) => id))
  for (const [object, name] of request.names) {
    const resource = all.get(addressOf(object, name))
    if (!resource) continue
    for (const { kind, id } of requestedBy(object)) {
      if (taken.has(id)) continue
      const candidates = wanted.filter(
        ({ address, provider, kind: other }) =>
          provider === object.provider && other === kind && !found.has(address) && resource.dependencies.has(address),
      )
      const one = await findByReading(request, candidates, id)
      if (!one) continue
      found.set(one.address, one)
      taken.add(id)
    }
  }
  // If several objects have the same mark, the one in use is chosen.
  const rest = wanted.filter(({ address }) => !found.has(address))
  return [...found.values(), ...(await listedOnes(request, rest, taken))]
}

/** Creates a placeholder row, because a resource is placed in the API of its row. */
function placeholder([object, name]: readonly [Discovered, string]): readonly [Address, Row] {
  const { handler, api } = object
  return [
    addressOf(object, name),
    { id: object.object.id, form: handler.form, leaves: {}, ...(api === '' ? {} : { api }) },
  ]
}

function isWanted({ address, handler, externalId }: Resource, rows: ReadonlyMap<Address, Row>): boolean {
  const isRead = handler.list !== undefined && handler.declare !== undefined
  return !isRead && !handler.isStateOnly && externalId === undefined && !rows.has(address)
}

/**
 * Recognises listed objects by their mark, or by a name that is unique in an account. Without either, the owner of an
 * upload is unknown.
 */
async function listedOnes(
  request: RecogniseRequest,
  wanted: readonly Resource[],
  taken: ReadonlySet<string | null>,
): Promise<readonly Recognition[]> {
  const groups = new Map<string, Resource[]>()
  for (const resource of wanted) {
    const { handler, provider } = resource
    if (!handler.list || (handler.mark === undefined && !handler.resembles)) continue
    const key = `${provider} ${handler.kind} ${handler.api ?? ''}`
    groups.set(key, [...(groups.get(key) ?? []), resource])
  }
  const found = new Map<Address, Recognition>()
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const { handler } = first
    const remotes = await askProvider(request, first, async (call) => {
      const listed: Remote[] = []
      for await (const remote of handler.list?.(call) ?? []) if (!handler.isGone?.(remote)) listed.push(remote)
      return listed
    })
    for (const remote of remotes) {
      if (taken.has(handler.outputs(remote).id)) continue
      for (const resource of group)
        if (!found.has(resource.address) && (await isIts(request, resource, remote)))
          found.set(resource.address, recognised(resource, remote))
    }
  }
  return [...found.values()]
}

/**
 * Returns the only resource that may be this object, judged by everything that is visible; undefined if there are
 * several.
 */
async function findByReading(
  request: RecogniseRequest,
  candidates: readonly Resource[],
  id: string,
): Promise<Recognition | undefined> {
  for (const resource of candidates) {
    const { handler } = resource
    const found = await askProvider(request, resource, (call) => observe(handler, call, id))
    if (found.type === 'gone') continue
    if (await isIts(request, resource, found.remote)) return recognised(resource, found.remote)
  }
  return undefined
}

async function isIts(request: RecogniseRequest, resource: Resource, remote: Remote): Promise<boolean> {
  const { handler, desired, declaration, name } = resource
  if (handler.mark !== undefined) return markOf(handler, remote, request.projectName)?.name === name
  const shown = leavesOf(handler.observed(remote))
  const isVisible = ([path, value]: readonly [string, unknown]) =>
    !fieldOf(handler, path).writeOnly && value !== undefined
  const leaves = [...leavesOf(desired)].filter(isVisible)
  if (!leaves.every(([path, value]) => canonical(shown.get(path) ?? null) === canonical(value))) return false
  if (!handler.resembles) return leaves.length > 0
  for (const source of declaration.sources.values())
    if (handler.resembles(remote, await contentOf(request.ports.disk, source))) return true
  return false
}

function recognised({ address, handler, api }: Resource, remote: Remote): Recognition {
  const { id, ...outputs } = handler.outputs(remote)
  return { address, row: { id, form: handler.form, leaves: {}, outputs, ...(api ? { api } : {}) } }
}

function askProvider<Answer>(
  { connections, signal, project }: RecogniseRequest,
  { address, provider }: Resource,
  ask: (call: ReturnType<Connections['call']>) => Promise<Answer>,
): Promise<Answer> {
  const attempt = { subject: address, mask: (text: string) => project.variables.mask(text) }
  return explainingFailures(attempt, () => ask(connections.call(provider, signal)))
}
