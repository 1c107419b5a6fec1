// Sync: from what the providers hold to agents.yaml. All or nothing; the file is touched only when the result is valid.
import type { Project } from '../declaration/declaration.js'
import { type Diagnostic, hasErrors, Problem } from '../diagnostic.js'
import type { Address } from '../graph/address.js'
import type { EngineOptions } from '../options.js'
import { Connections } from '../plan/connections.js'
import { KnownOutputs } from '../plan/outputs.js'
import { createHasher } from '../state/hashes.js'
import type { State } from '../state/store.js'
import { isObject, type JsonObject } from '../value/tree.js'
import { type Adjustment, adjust } from './adjust.js'
import { addressOf, discover } from './discover.js'
import { nameAll } from './names.js'
import { refuseLostMembers } from './owned-members.js'
import { isDeclared, type Proposal, say } from './say.js'
import { YamlEdit } from './yaml-edit.js'

export interface SyncOptions extends EngineOptions {
  /** Canonical names; empty for every declared provider. */
  readonly providers: readonly string[]
  /** The text of agents.yaml. */
  readonly text: string
  /** Loads a candidate text as if it stood in the file; rejects with `Problem`s that make it invalid. */
  load(text: string): Promise<Project>
}

export interface SyncResult {
  /** What agents.yaml should say; the same text when it says so already. */
  readonly text: string
  readonly added: readonly Proposal[]
  readonly changed: readonly Adjustment[]
  /** Objects that the file declares and state does not hold. */
  readonly imports: readonly { readonly address: Address; readonly id: string }[]
  readonly notes: readonly Diagnostic[]
}

/** Writes nothing. */
export async function syncProject(state: State, options: SyncOptions): Promise<SyncResult> {
  const { project, registry } = options
  const providers = options.providers.length > 0 ? options.providers : [...project.providers.keys()]
  const signal = options.signal ?? new AbortController().signal
  const connections = new Connections(options)
  const { rows } = state
  const mask = (text: string) => project.variables.mask(text)
  const context = { connections, rows, projectName: state.project, signal, mask }

  const discovery = await discover({ ...context, providers, registry })
  const edit = new YamlEdit(options.text)
  const sectionOf = (kind: string) => registry.kinds.get(kind)?.section ?? `${kind}s`
  const written = (kind: string, name: string): JsonObject | undefined => {
    const body = edit.bodyOf(sectionOf(kind), name)
    return isObject(body) ? body : undefined
  }
  const { said, proposals, index } = say({ names: nameAll(discovery.objects), project, written })
  await refuseLostMembers({ ...context, index })

  const values = new KnownOutputs(project.variables, rows)
  for (const { object, name } of said) values.set(addressOf(object, name), object.handler.outputs(object.object.remote))
  const hasher = createHasher({ salt: state.salt, derive: options.derive })
  const known = said.filter(({ object, name }) => isDeclared(project, object, name))
  const changed: Adjustment[] = []
  for (const one of known) {
    changed.push(...(await adjust({ project, registry, projectName: state.project, rows, values, hasher }, one)))
  }
  for (const { kind, name, field, value } of changed) edit.setField(sectionOf(kind), name, field, value)
  for (const { kind, name, body, provider } of proposals) {
    edit.add(sectionOf(kind), name, provider === undefined ? body : { provider, ...body })
  }
  const text = edit.text()
  if (text !== options.text) await refuseInvalid(options, text)

  const unbound = known.filter(({ object }) => object.address === undefined)
  const imports = [
    ...unbound.map(({ object, name }) => ({ address: addressOf(object, name), id: object.object.id })),
    ...proposals.flatMap(({ objects }) => objects).filter(({ address }) => !rows.has(address)),
  ]
  return { text, added: proposals, changed, imports, notes: discovery.notes }
}

/** A result that would not pass `validate` is not written. */
async function refuseInvalid({ load }: SyncOptions, text: string): Promise<void> {
  try {
    await load(text)
  } catch (error) {
    if (!(error instanceof Problem) || !hasErrors(error.diagnostics)) throw error
    throw new Problem(
      [
        {
          code: 'sync.result-invalid',
          severity: 'error',
          summary: 'What the providers hold cannot be said in agents.yaml',
          detail: 'The file that sync would write breaks the rules below. The file was left as it is.',
          fix: 'Correct the objects at the provider, or write the declarations by hand and import the ids.',
        },
        ...error.diagnostics,
      ],
      { cause: error },
    )
  }
}
