// Import: binds an existing remote object to an address, after making sure that nobody else has it.

import { type Attempt, attempted } from '../actions/failures.js'
import type { ApplyOptions } from '../apply/options.js'
import { rowFor, WantedLeaves } from '../apply/record.js'
import { hasErrors, Problem } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { marks } from '../graph/resource.js'
import { buildResources } from '../graph/resources.js'
import { walk } from '../graph/walk.js'
import { accountOf, formatAccount } from '../plan/account.js'
import { Connections } from '../plan/connections.js'
import { type Downloaded, downloaded } from '../plan/downloaded.js'
import { explainFailure } from '../plan/explain.js'
import type { Present } from '../plan/observation.js'
import { parallelismDefault } from '../plan/options.js'
import { KnownOutputs } from '../plan/outputs.js'
import { observe } from '../plan/refresh.js'
import type { Variables } from '../plugin/declaration.js'
import type { Handler, LeafChange, ListedObject } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import { createHasher } from '../state/hashes.js'
import type { Row } from '../state/row.js'
import type { StateWriter } from '../state/store.js'
import { type Address, parseAddress } from '../value/address.js'
import { isObject, type Json, type JsonObject, leafPath, type Tree } from '../value/tree.js'
import { contentLeaves } from './adopt.js'
import { type Binding, refuseBound } from './bound.js'
import { areAmong, variableName } from './remote-index.js'
import type { FolderContent } from './source-folders.js'
import { WrittenText } from './written-text.js'

export interface FoundForImport {
  readonly handler: Handler
  readonly object: ListedObject
  readonly found: Present
  readonly content?: Downloaded
}

/** Finds the object in whichever API of the provider has it. Rejects when it is missing, archived or bound already. */
export async function findForImport(
  options: ApplyOptions,
  rows: ReadonlyMap<Address, Row>,
  { address, id }: Binding,
): Promise<FoundForImport> {
  refuseBound(options, rows, { address, id })
  const { provider, kind } = parseAddress(address)
  const connections = new Connections(options)
  const call = connections.call(provider, options.hardStop ?? new AbortController().signal)
  const handlers = connections
    .provider(provider)
    .handlers.filter((handler) => handler.kind === kind && !handler.isStateOnly)
  for (const handler of handlers) {
    const found = await attempted(attemptFor(options, address), () => observe(handler, call, id))
    if (found.type === 'gone') continue
    const parts = new Map([...found.parts].map(([key, part]) => [key, part.remote]))
    const content = await attempted(attemptFor(options, address), () => downloaded(handler, call, found.remote))
    return { handler, object: { id, remote: found.remote, parts }, found, ...(content ? { content } : {}) }
  }
  throw problem('import.not-found', { address, detail: `${provider} has no ${kind} ${id}, or it is archived.` })
}

/** As `bindAll`, for one object. */
export function bind(options: ApplyOptions, state: StateWriter, binding: Binding): Promise<void> {
  return bindAll(options, state, [binding])
}

/**
 * Binds objects to addresses that the project declares, each after those whose ids it uses. All of them are looked at
 * first; then a mark is put on every object that can carry one, so that whoever goes on after a crash calls it by the
 * same name; then `prepare` writes what must be on disk; then they are recorded.
 */
export async function bindAll(
  options: ApplyOptions,
  state: StateWriter,
  bindings: readonly Binding[],
  prepare: () => Promise<void> = async () => {},
): Promise<void> {
  const located = await locateAll(options, state.rows, bindings)
  const { project, registry } = options
  const { all, diagnostics } = buildResources({
    project,
    registry,
    projectName: state.project,
    rows: new Map([...state.rows, ...[...located].map(([address, one]) => [address, placeholderRow(one)] as const)]),
    targets: ({ providers }) => providers.names,
  })
  const inTheWay = diagnostics.filter(({ address }) => address === undefined || located.has(address))
  if (hasErrors(inTheWay)) throw new Problem(inTheWay)
  for (const [address, { handler }] of located) {
    const resource = all.get(address)
    if (!resource) throw notDeclared(address)
    if ((handler.api ?? resource.api) !== resource.api) throw otherApi(resource, handler)
  }
  const values = new KnownOutputs(project.variables, state.rows)
  const work: Binder = { options, state, values, connections: new Connections(options) }
  const marked = new Map<Address, Located>()
  for (const [address, resource] of all) {
    const one = located.get(address)
    if (!one) continue
    const found = await attempted(attemptFor(options, address), () => mark(work, resource, one))
    marked.set(address, { ...one, found })
  }
  await prepare()
  for (const [address, resource] of all) {
    const one = marked.get(address)
    if (one) await record(work, resource, one)
  }
}

function attemptFor({ project }: ApplyOptions, address: Address): Attempt {
  return { subject: address, mask: (text) => project.variables.mask(text) }
}

type Located = Awaited<ReturnType<typeof findForImport>>

interface Binder {
  readonly options: ApplyOptions
  readonly state: StateWriter
  readonly values: KnownOutputs
  readonly connections: Connections
}

async function locateAll(
  options: ApplyOptions,
  rows: ReadonlyMap<Address, Row>,
  bindings: readonly Binding[],
): Promise<ReadonlyMap<Address, Located>> {
  const wanted = new Map(bindings.map((binding) => [binding.address, { binding, after: [], group: '' }]))
  const located = new Map<Address, Located>()
  const failures: unknown[] = []
  await walk(wanted, {
    limit: () => options.parallelism ?? parallelismDefault,
    run: async (address) => {
      const binding = wanted.get(address)?.binding
      try {
        if (binding) located.set(address, await findForImport(options, rows, binding))
        return 'done'
      } catch (error) {
        failures.push(error)
        return 'failed'
      }
    },
  })
  const explained = failures.flatMap((error) =>
    explainFailure(error, '', (text) => options.project.variables.mask(text)),
  )
  if (explained.length > 0) throw new Problem(explained)
  return located
}

/** What is not referred to goes to the API that has the object. */
function placeholderRow({ handler, found }: Located): Row {
  return { id: found.id, form: handler.form, leaves: {}, ...(handler.api ? { api: handler.api } : {}) }
}

/** Writes the ownership mark and nothing else. */
async function mark(
  { options, state, connections }: Binder,
  resource: Resource,
  { handler, found }: Located,
): Promise<Present> {
  if (handler.mark === undefined || !handler.update) return found
  const call = connections.call(resource.provider, options.hardStop ?? new AbortController().signal)
  const held = found.observed[handler.mark]
  const ours = { [marks.project]: state.project, [marks.resource]: resource.name }
  const before = isObject(held) ? held : {}
  const changes: LeafChange[] = Object.entries(ours)
    .filter(([key, value]) => before[key] !== value)
    .map(([key, value]) => ({ path: leafPath([handler.mark ?? '', key]), before: before[key], after: value }))
  if (changes.length === 0) return found
  const desired: Tree = { ...found.observed, [handler.mark]: { ...before, ...ours } }
  const { id, observed, remote } = found
  await handler.update(call, { id, desired, observed, remote, changes, sources: new Map() })
  const now = await observe(handler, call, id)
  return now.type === 'present' ? now : found
}

async function record({ options, state, values, connections }: Binder, resource: Resource, located: Located) {
  const { handler, found, content } = located
  const { address, provider } = resource
  const parts = Object.fromEntries([...found.parts].map(([key, part]) => [key, part.id]))
  const hasher = createHasher({ salt: state.salt, derive: options.derive })
  const leaves = await new WantedLeaves(resource, { values, hasher }).recorded(parts, found)
  const isHere = [...resource.declaration.sources.values()].some(
    ({ sha256 }) => content?.type === 'content' && content.sha256 === sha256,
  )
  // Nothing shows later what was uploaded, so that it counts from the moment it was seen to be the same.
  const verified = isHere ? contentLeaves(handler, leaves) : {}
  const isFirst = ![...state.rows.keys()].some((other) => parseAddress(other).provider === provider)
  if (isFirst) await state.setFingerprint(provider, formatAccount(await accountOf(connections, provider, hasher)))
  const { id: _, ...outputs } = handler.outputs(found.remote)
  values.set(address, { ...outputs, id: found.id })
  await state.put(address, {
    ...rowFor(resource, values),
    id: found.id,
    // A leaf that differs, or cannot be seen, has no base: the next plan compares it as it is. Only the name it came
    // with is taken as it stands, because the key may have had to be another one.
    leaves: Object.fromEntries(
      Object.entries({ ...leaves, ...verified }).filter(
        ([path, hashes]) => typeof hashes === 'string' || path === nameLeaf(resource, found) || path in verified,
      ),
    ),
    ...(Object.keys(outputs).length > 0 ? { outputs } : {}),
    ...(Object.keys(parts).length > 0 ? { parts } : {}),
  })
}

/** Where the key says what an object is called, and it is called otherwise. */
function nameLeaf({ handler, desired, name }: Resource, { remote, observed }: Present): string | undefined {
  const called = handler.isNamedByKey ? handler.name?.(remote) : undefined
  const key = Object.keys(desired).find((member) => desired[member] === name && observed[member] === called)
  return called === undefined || key === undefined ? undefined : leafPath([key])
}

function notDeclared(address: Address): Problem {
  return problem('import.not-declared', { address, detail: `agents.yaml declares nothing that becomes ${address}.` })
}

function otherApi({ address, api }: Resource, handler: Handler): Problem {
  return problem('import.other-api', {
    address,
    detail: `The declaration belongs to the ${api} API, and the object is in the ${handler.api ?? 'other'} one.`,
  })
}

export interface DeclarationRequest {
  readonly rows: ReadonlyMap<Address, Row>
  readonly variables: Variables
  /** All that agents.yaml has. */
  readonly file: Json
  /** The path of a new folder for the content of the object. */
  newFolder(content: FolderContent): string
}

/** The declaration to write for an object that the file does not declare; references are named as far as state knows them. */
export function declarationFor(
  { rows, file, variables, newFolder }: DeclarationRequest,
  { address }: Binding,
  { handler, object, content }: Pick<FoundForImport, 'handler' | 'object' | 'content'>,
): JsonObject {
  const { provider, name } = parseAddress(address)
  const text = new WrittenText(undefined, file, variables)
  const ownerOf = (kind: string, id: string) =>
    [...rows].find(([other, row]) => other.startsWith(`${provider}.${kind}.`) && row.id === id)
  let reason = `${provider} does not show enough of its ${handler.kind}s`
  const body = handler.declare?.(object, {
    self: name,
    name: (kind, id) => {
      const owner = ownerOf(kind, id)
      return owner && parseAddress(owner[0]).name
    },
    isAt: (kind, id, outputs) => areAmong(outputs, ownerOf(kind, id)?.[1].outputs ?? {}),
    folder() {
      if (content?.type === 'refused') reason = content.reason
      return content?.type === 'content' ? text.hold(newFolder(content)) : undefined
    },
    secret: (_at, ...words) => text.hold(`\${${variableName(words)}}`),
    nameWritten: () => undefined,
    cannotSay(told) {
      reason = told
      return undefined
    },
  })
  if (body) return text.of(body)
  throw problem('import.cannot-declare', {
    address,
    detail: `No declaration can be written for it, because ${reason}.`,
    fix: `Declare ${address} by hand, then import it.`,
  })
}
