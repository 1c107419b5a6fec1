// This module tells whether a change stores content that its caller did not write in it: then what a redaction of another
// layer removes may be in it too. What is not known counts as such content.
import { isDeepStrictEqual } from 'node:util'
import type { UnfinishedItem } from '../../workers/change/unfinished-item.js'
import type { FormFieldRef } from '../../workers/contract/form-field-ref.js'
import { findOpContract, type Op, opContracts } from '../../workers/contract/ops/index.js'
import type { ContentSource } from '../../workers/contract/ops/op-contract.js'

interface MadeChange {
  /** Ops of the change; none for an undo. */
  readonly ops: readonly Op[]
  /** Steps of an undo. */
  readonly steps: readonly { readonly type: string }[]
  readonly items: readonly UnfinishedItem[]
}

/** Sources by the types of undo steps: those of ops, and those of items that only an undo returns. */
const sources: ReadonlyMap<string, ContentSource> = new Map(
  opContracts.flatMap(({ type, carries, undoItems = [] }) =>
    [type, ...undoItems.map(({ properties }) => String(Object(properties.type).const))].map(
      (name) => [name, carries] as const,
    ),
  ),
)

/** True if the stored form of the change may contain content of the document, or of files of the request. */
export function carriesContent({ ops, steps, items }: MadeChange): boolean {
  return ops.some((op, index) => carriesMore(op, items[index])) || steps.some(({ type }) => restoresContent(type))
}

function carriesMore(op: Op, item: UnfinishedItem | undefined): boolean {
  const contract = findOpContract(op.type)
  const source = contract?.carries ?? 'document'
  if (source === 'own' || source === 'document') return source === 'document'
  const files: unknown = contract?.files && Object(op)[contract.files.member]
  const hasFiles = Object.keys(Object(files)).length > 0
  return hasFiles || (source === 'values' && setsOthers(op, item))
}

/** An undo of values brings back those of the document; one of what had files needs no files of its own to be known. */
function restoresContent(type: string): boolean {
  const source = sources.get(type) ?? 'document'
  return source === 'values' || source === 'document'
}

/** True if fields that the op did not name got a value, or were drawn. */
function setsOthers(op: Op, item: UnfinishedItem | undefined): boolean {
  if (item?.type !== 'forms.setValue' && item?.type !== 'forms.importValues') return true
  const named = namedIn(op, item)
  const written: readonly (FormFieldRef | null)[] = [
    ...item.meta.changedFields,
    ...item.widgets.map(({ field }) => field),
  ]
  return written.some((ref) => !named.some((one) => isDeepStrictEqual(one, ref)))
}

function namedIn(op: Op, item: Extract<UnfinishedItem, { readonly widgets: unknown }>): readonly FormFieldRef[] {
  if (item.type === 'forms.setValue') return [item.field.ref]
  if (item.type !== 'forms.importValues' || op.type !== 'forms.importValues') return []
  const { values = {} } = op
  return item.fields.filter(({ name }) => Object.hasOwn(values, name)).map(({ ref }) => ref)
}
