// Checks that every name that a declaration uses is declared, on the same providers.
import { capabilityOf } from '../plugin/capabilities.js'
import type { Project } from '../plugin/declaration.js'
import type { Kind, Reference } from '../plugin/kind.js'
import type { Registry } from '../plugin/registry.js'
import { hasPlaceholder } from '../value/placeholder.js'
import { hint, listed } from '../value/suggestions.js'
import { isObject, type Json } from '../value/tree.js'
import type { SourcedDraft } from './attach-sources.js'
import type { Stage } from './checked.js'
import type { Entry } from './nodes.js'
import { byNameAndKind } from './project.js'
import type { Range } from './source-text.js'
import type { Defaults } from './targets.js'

export interface ReferenceRequest {
  readonly stage: Stage
  /** All drafts. Those with errors count as declared, too. */
  readonly drafts: readonly SourcedDraft[]
  readonly project: Project
  readonly registry: Registry
}

export function checkReferences(request: ReferenceRequest): void {
  const { drafts, project } = request
  const names = byNameAndKind(drafts, ({ kind, name }) => ({ kind: kind.kind, name }))
  for (const draft of drafts) {
    if (!draft.isReadable) continue
    for (const reference of draft.kind.references(draft.body, project)) checkReference(request, draft, reference, names)
    checkSharedId(request, draft)
  }
}

export interface DefaultsRequest {
  readonly entry: Entry | undefined
  readonly defaults: Defaults
  readonly drafts: readonly SourcedDraft[]
  readonly kinds: readonly Kind[]
}

/** Checks the references in `defaults.<kind>`. */
export function checkDefaults(stage: Stage, { entry, defaults, drafts, kinds }: DefaultsRequest): void {
  if (!entry) return
  for (const { kind, section, hasDefault } of kinds) {
    const name = hasDefault && defaults.declared[kind]
    if (typeof name !== 'string' || hasPlaceholder(name)) continue
    const names = drafts.filter((draft) => draft.kind.kind === kind).map((draft) => draft.name)
    if (names.includes(name)) continue
    const detail = `There is no "${name}" under ${section}. ${hint(name, names)}`
    stage.collector.add('declaration.unknown-reference', stage.nodes.locate(entry, [kind]), { detail })
  }
}

type Names = ReadonlyMap<string, ReadonlyMap<string, SourcedDraft>>

function checkReference(request: ReferenceRequest, draft: SourcedDraft, reference: Reference, names: Names): void {
  const { stage, registry } = request
  // A problem of a reference that comes from a default is reported at the default.
  if (valueAt(draft.body, reference.at) !== reference.name || hasPlaceholder(reference.name)) return
  const range = stage.nodes.locate(draft.entry, reference.at)
  const ofKind = names.get(reference.kind)
  const target = ofKind?.get(reference.name)
  const { address } = draft
  if (!target) {
    const section = registry.kinds.get(reference.kind)?.section ?? reference.kind
    const written = writtenAt(stage, range) ?? reference.name
    const detail = `There is no "${written}" under ${section}. ${hint(reference.name, [...(ofKind?.keys() ?? [])])}`
    stage.collector.add('declaration.unknown-reference', range, { detail, address })
    return
  }
  const elsewhere = draft.targets.names.filter(
    (provider) => !target.targets.names.includes(provider) && mayHave(registry, provider, reference.kind),
  )
  if (elsewhere.length === 0 || target.targets.names.length === 0) return
  const where = listed(target.targets.names)
  const detail = `${draft.address} goes to ${listed(elsewhere)}, but the ${reference.kind} "${reference.name}" only to ${where}.`
  stage.collector.add('declaration.reference-elsewhere', range, { detail, address })
}

/** Returns the text as written, with references to variables instead of their values. */
function writtenAt({ collector }: ReferenceRequest['stage'], range: Range | undefined): string | undefined {
  const written = range && collector.text.text.slice(...range).replaceAll(/^["']|["']$/g, '')
  return written?.includes('${') ? written.trim() : undefined
}

/** True if the provider may have the kind. The provider's own rules report kinds that it lacks completely. */
function mayHave(registry: Registry, name: string, kind: string): boolean {
  const provider = registry.provider(name)
  return provider !== undefined && capabilityOf(provider, kind, '').support !== 'unsupported'
}

/** Reports a declaration with a remote id that goes to several providers: an id belongs to one of them. */
function checkSharedId({ stage }: ReferenceRequest, draft: SourcedDraft): void {
  if (draft.kind.external?.(draft.body) === undefined || draft.targets.names.length < 2) return
  const detail = `${draft.address} goes to ${listed(draft.targets.names)}, but the id it holds exists on one of them only.`
  stage.collector.add('declaration.remote-id-shared', stage.nodes.locate(draft.entry, [], true), {
    detail,
    address: draft.address,
  })
}

function valueAt(value: Json | undefined, [step, ...rest]: readonly (string | number)[]): Json | undefined {
  if (step === undefined) return value
  if (Array.isArray(value)) return valueAt(value[Number(step)], rest)
  return isObject(value) ? valueAt(value[step], rest) : undefined
}
