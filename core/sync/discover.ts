// Proposes declarations for all objects that providers list, as far as agents.yaml can express them.

import { kindText } from '../actions/applied.js'
import { explainingFailures } from '../actions/failures.js'
import type { Diagnostic } from '../diagnostic.js'
import type { Connections } from '../plan/connections.js'
import { type Download, downloaded } from '../plan/downloaded.js'
import { markIn } from '../plan/marks.js'
import { partsByKey } from '../plan/observation.js'
import type { Project } from '../plugin/declaration.js'
import type { Handler, ListedObject, Remote } from '../plugin/handler.js'
import type { Provider } from '../plugin/provider.js'
import type { Registry } from '../plugin/registry.js'
import { diagnostic } from '../problems/index.js'
import type { Neighbours } from '../state/neighbours.js'
import type { Row } from '../state/row.js'
import { type Address, formatAddress } from '../value/address.js'

export interface Discovered {
  readonly provider: string
  readonly kind: string
  readonly api: string
  readonly handler: Handler
  readonly object: ListedObject
  /** Downloaded content, for kinds that have content. */
  readonly content?: Download
  /** Address of the object in state. */
  readonly address?: Address
  /** True if the file only refers to the object by its id, so that it is neither described nor managed. */
  readonly isExternal?: true
  /** True if state knows the object, or its mark is of this project. */
  readonly isOurs: boolean
  /**
   * Logical name in its mark, if that is the mark of this project; without a mark, the name of the declaration that
   * identifies the object, if any.
   */
  readonly markedName?: string
  /** Other project that its mark names, if state does not know the object. */
  readonly otherProject?: string
}

export interface Discovery {
  readonly objects: readonly Discovered[]
  /** Objects that could not be read back, with the reason. */
  readonly notes: readonly Diagnostic[]
}

export interface DiscoverRequest {
  readonly providers: readonly string[]
  readonly project: Project
  readonly registry: Registry
  readonly connections: Connections
  readonly rows: ReadonlyMap<Address, Row>
  readonly projectName: string
  /** Objects of other project files of the folder; they are left out. */
  readonly neighbours: Neighbours
  /** Other projects whose objects are taken over. */
  readonly take?: readonly string[] | undefined
  readonly signal: AbortSignal
  mask(text: string): string
  /** Called for each object that was read, with the number of all so far. */
  readonly onDiscovered?: ((objects: number) => void) | undefined
}

export async function discover(request: DiscoverRequest): Promise<Discovery> {
  let count = 0
  const onObject = () => request.onDiscovered?.(++count)
  const bound: BoundObject = { rows: addressesById(request.rows), external: externalIds(request) }
  const perHandler = request.providers.flatMap((name) => {
    const provider = request.registry.provider(name)
    return inFileOrder(request.registry, provider?.handlers ?? []).map((handler) => ({ name, provider, handler }))
  })
  // Kinds whose resources only follow from declarations of other kinds have no section.
  const isAsked = ({ kind, declare }: Handler) => declare !== undefined || request.registry.kinds.has(kind)
  const lists = await Promise.all(
    perHandler.map(({ name, handler }) =>
      handler.list && isAsked(handler)
        ? explainingFailures({ subject: name, mask: request.mask }, () =>
            listAll(request, { provider: name, handler, bound, onObject }),
          )
        : Promise.resolve([]),
    ),
  )
  // Each kind gets one note, in however many APIs it exists.
  const notes = new Map(
    perHandler.flatMap(({ name, provider, handler }, index) => {
      if (handler.declare || !leavesOut(request, name, handler, lists[index] ?? [])) return []
      return [[`${name} ${handler.kind}`, leftOutNote(name, provider, handler)] as const]
    }),
  )
  const objects = lists.flat().filter(({ handler }) => handler.declare)
  return { objects, notes: [...notes.values(), ...objects.flatMap(refused)] }
}

/**
 * True if a kind that cannot be read back may have objects that the project does not manage. Where they are not listed,
 * a file that declares some is taken to know.
 */
function leavesOut(
  { project, registry, take = [] }: DiscoverRequest,
  provider: string,
  { kind, list }: Handler,
  listed: readonly Discovered[],
): boolean {
  const isLeftToOthers = ({ otherProject }: Discovered) => otherProject !== undefined && !take.includes(otherProject)
  if (list) return listed.some((one) => !one.isOurs && !one.isExternal && !isLeftToOthers(one))
  return registry.kinds.has(kind) && !project.ofKind(kind).some(({ providers }) => providers.names.includes(provider))
}

/** Sorts handlers like the sections of agents.yaml; those without a section come last. */
function inFileOrder({ kinds }: Registry, handlers: readonly Handler[]): readonly Handler[] {
  const order = [...kinds.keys()]
  const rank = ({ kind }: Handler) => (kinds.has(kind) ? order.indexOf(kind) : order.length)
  return handlers.toSorted((a, b) => rank(a) - rank(b))
}

function refused({ provider, kind, object, content }: Discovered): readonly Diagnostic[] {
  if (content?.type !== 'refused') return []
  return [
    diagnostic('sync.content-refused', {
      detail: `The content of the ${kindText(kind)} ${object.id} at ${provider} was not written, because ${content.reason}.`,
    }),
  ]
}

interface Listing {
  readonly provider: string
  readonly handler: Handler
  readonly bound: BoundObject
  /** Called for each object. */
  onObject(): void
}

async function listAll(
  request: DiscoverRequest,
  { provider, handler, bound: { rows, external }, onObject }: Listing,
): Promise<readonly Discovered[]> {
  const { connections, projectName, neighbours, signal } = request
  const call = connections.call(provider, signal)
  const found: Discovered[] = []
  for await (const remote of handler.list?.(call) ?? []) {
    onObject()
    if (handler.isGone?.(remote)) continue
    const { id } = handler.outputs(remote)
    const key = `${provider} ${handler.kind} ${id}`
    const address = external.get(key) ?? rows.get(key)
    if (address === undefined && neighbours.has(key)) continue
    const recorded = address === undefined ? undefined : request.rows.get(address)?.parts
    const parts: ReadonlyMap<string, Remote> = handler.parts
      ? await partsByKey(handler.parts, handler.parts.list(call, id), recorded)
      : new Map()
    const mark = markIn(handler, handler.observed(remote))
    const isMarked = mark?.project === projectName
    const isTheirs = mark !== undefined && !isMarked && address === undefined
    const content = await downloaded(handler, call, remote)
    found.push({
      provider,
      kind: handler.kind,
      api: handler.api ?? '',
      handler,
      object: { id, remote, parts },
      ...(content === undefined ? {} : { content }),
      ...(external.has(key) ? { isExternal: true } : {}),
      isOurs: address !== undefined || isMarked,
      ...(address === undefined ? {} : { address }),
      ...(isMarked && mark.name !== undefined ? { markedName: mark.name } : {}),
      ...(isTheirs ? { otherProject: mark.project } : {}),
    })
  }
  return found
}

function leftOutNote(name: string, provider: Provider | undefined, handler: Handler): Diagnostic {
  return diagnostic('sync.left-out', {
    detail: `${provider?.title ?? name} does not ${handler.list ? 'show enough of its' : 'list its'} ${kindText(handler.kind)}s, so they are left out; references to those that agents.yaml does not declare keep the raw ids.`,
  })
}

interface BoundObject {
  readonly rows: ReadonlyMap<string, Address>
  readonly external: ReadonlyMap<string, Address>
}

/** Returns the addresses of external objects by `provider kind id`. */
export function externalIds({
  project,
  registry,
}: Pick<DiscoverRequest, 'project' | 'registry'>): ReadonlyMap<string, Address> {
  return new Map(
    project.declarations.flatMap(({ kind, name, body, providers }) => {
      const id = registry.kinds.get(kind)?.external?.(body)
      if (id === undefined) return []
      return providers.names.map((provider) => [`${provider} ${kind} ${id}`, formatAddress({ provider, kind, name })])
    }),
  )
}

function addressesById(rows: ReadonlyMap<Address, Row>): ReadonlyMap<string, Address> {
  const found = new Map<string, Address>()
  for (const [address, { id }] of rows) {
    const [provider, kind] = address.split('.')
    if (id !== null) found.set(`${provider} ${kind} ${id}`, address)
  }
  return found
}

export function addressOf({ provider, kind, address }: Discovered, name: string): Address {
  return address ?? formatAddress({ provider, kind, name })
}
