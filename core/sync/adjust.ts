// Changes an existing declaration to what the providers have, in as few places as possible. A declaration for several
// providers is changed to what most of them have, so that it does not alternate between them.

import { memberOf as memberSchema, type SchemaView, viewOf } from '../declaration/schema-view.js'
import type { Diagnostic } from '../diagnostic.js'
import type { Declaration } from '../plugin/declaration.js'
import { diagnostic } from '../problems/index.js'
import { hasPlaceholder } from '../value/placeholder.js'
import { isObject, type Json, type JsonObject, leafKeys } from '../value/tree.js'
import { type DifferencesRequest, differences, tellsSecret } from './differences.js'
import { addressOf } from './discover.js'
import { Draft, type LoadedAndWritten as DraftValue } from './draft.js'
import { losesVariable } from './lost-variables.js'
import type { ObjectBody } from './propose.js'
import { isShared, type TextFile, textFileOf } from './text-files.js'
import { asLoaded } from './written-text.js'

export interface Adjustment {
  readonly kind: string
  readonly name: string
  /** Path from the declaration to the changed value. */
  readonly path: readonly string[]
  /** Value as agents.yaml writes it; undefined removes it. */
  readonly value: Json | undefined
  /** File that the field names, if its text changes. */
  readonly file?: TextFile
  /** Folder that the field names, if its content changes. */
  readonly folder?: string
}

export interface AdjustResult {
  readonly adjustments: readonly Adjustment[]
  /** Differences that remain, because a declaration cannot express them. */
  readonly notes: readonly Diagnostic[]
}

export interface AdjustRequest extends DifferencesRequest {
  /** Returns the body of a declaration as written in the file. */
  written(kind: string, name: string): JsonObject | undefined
}

/** Computes the changes. `bodies`: the declaration as each of its providers proposes it. */
export async function adjust(request: AdjustRequest, bodies: readonly ObjectBody[]): Promise<AdjustResult> {
  const [first] = bodies
  const declaration = first && request.project.find(first.object.kind, first.name)
  if (!declaration) return { adjustments: [], notes: [] }
  const { kind, name } = declaration
  const written = request.written(kind, name) ?? {}
  const draft = await Draft.of({
    body: declaration.body,
    written,
    distance: (body) => distance(request, bodies, { ...declaration, body }),
    inserted: declaration.inserted ?? new Map(),
    tellsSecret: (body, before) => {
      const after = { ...declaration, body }
      return bodies.some(
        ({ object }) =>
          tellsSecret(request, object, declaration, after) ||
          losesVariable(request, object, { ...declaration, body: before }, after),
      )
    },
  })
  for (const one of bodies)
    for (const [field, theirs] of fieldsOf(request, one, { ...declaration, body: draft.body }, written))
      await draft.take([field], theirs)
  const adjustments = draft.edits.map(({ path, value }): Adjustment => {
    const file = path.length === 1 ? textFileOf(declaration, written, path[0] ?? '') : undefined
    if (file === undefined) return { kind, name, path, value }
    return { kind, name, path, value, file: { ...file, after: String(draft.body[path[0] ?? '']) } }
  })
  return {
    adjustments,
    notes: await stillDifferent(request, bodies, { ...declaration, body: draft.body }, draft.retained),
  }
}

/** Returns one provider's proposal by field, including every declared field. */
function fieldsOf(
  { project, registry }: AdjustRequest,
  { object, body }: ObjectBody,
  declaration: Declaration,
  written: JsonObject,
): ReadonlyMap<string, DraftValue | undefined> {
  const schema = registry.kinds.get(object.kind)?.schema
  const fields = new Map<string, DraftValue | undefined>()
  for (const field of new Set([...Object.keys(body), ...Object.keys(declaration.body)])) {
    if (field === 'provider') continue
    const current = declaration.body[field]
    const theirs = body[field]
    const loaded = theirs === undefined ? undefined : asLoaded(theirs)
    const proposal = loaded === undefined ? undefined : { loaded, written: theirs ?? null }
    const file = textFileOf(declaration, written, field)
    if (file) {
      // A text file contains the literal text, so a secret in it cannot be replaced by a reference.
      const isWritable = typeof loaded === 'string' && !hasPlaceholder(loaded) && !isShared(project, declaration, file)
      if (isWritable) fields.set(field, proposal)
    } else if (proposal && current !== undefined && isPerProvider(schema && memberSchema(viewOf(schema), field))) {
      fields.set(
        field,
        perProvider(proposal, { held: current, written: written[field] ?? current }, object.provider, declaration),
      )
    } else fields.set(field, proposal)
  }
  return fields
}

function isPerProvider(schema: SchemaView | undefined): boolean {
  return [schema, ...(schema?.anyOf ?? [])].some((one) => one?.['x-per-provider'] === true)
}

/** Sets a value for one provider, if the declaration has several targets or already has a map. */
function perProvider(
  proposal: DraftValue,
  { held: current, written }: { readonly held: Json; readonly written: Json },
  provider: string,
  { providers }: Declaration,
): DraftValue {
  if (isObject(proposal.loaded) || (!isObject(current) && providers.names.length === 1)) return proposal
  const each = (value: Json): JsonObject =>
    isObject(value) ? value : Object.fromEntries(providers.names.map((name) => [name, value]))
  return {
    loaded: { ...each(current), [provider]: proposal.loaded },
    written: { ...each(written), [provider]: proposal.written },
  }
}

async function distance(
  request: AdjustRequest,
  written: readonly ObjectBody[],
  declaration: Declaration,
): Promise<number> {
  let sum = 0
  for (const { object } of written) {
    const found = await differences(request, object, declaration)
    if (found === undefined) return Number.POSITIVE_INFINITY
    sum += found.filter(({ isTheirs }) => !isTheirs).length
  }
  return sum
}

async function stillDifferent(
  request: AdjustRequest,
  written: readonly ObjectBody[],
  declaration: Declaration,
  retained: ReadonlySet<string>,
): Promise<readonly Diagnostic[]> {
  const notes: Diagnostic[] = []
  for (const { object, name } of written) {
    const found = (await differences(request, object, declaration)) ?? []
    const drifted = found.filter(({ cause }) => cause !== 'dependency')
    if (drifted.length === 0) continue
    const address = addressOf(object, name)
    if (retained.size > 0) {
      // Such a value may also be a key of a map below.
      const fields = [...new Set(drifted.map(({ path }) => leafKeys(path)[0] ?? ''))].join(', ')
      const detail = `${address} differs from agents.yaml in ${fields}. Secrets and variables stand in ${[...retained].join(', ')}, and what the provider holds may be an earlier value of theirs, so they stay.`
      notes.push(diagnostic('sync.variable-kept', { address, detail }))
      continue
    }
    const fields = [...new Set(drifted.map(({ label }) => label))].join(', ')
    const isOneOfMany = declaration.providers.names.length > 1
    notes.push(
      diagnostic('sync.still-different', {
        address,
        ...(isOneOfMany
          ? {
              detail: `${address} differs from agents.yaml in ${fields}. The declaration is for several providers and has the value of most of them.`,
              fix: `Use the value of this one with "agents sync --provider ${object.provider}", or correct this one with "agents apply".`,
            }
          : { detail: `${address} differs from agents.yaml in ${fields}, which sync does not write.` }),
      }),
    )
  }
  return notes
}
