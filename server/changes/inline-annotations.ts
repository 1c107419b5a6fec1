// Annotations the uploaded file stores inline, with the numbers that were reserved for them at ingest.
import type { InlineAnnotation } from '../../workers/messages/task.js'
import type { PageFactsRow } from '../storage/page-facts.js'
import type { ChangeState } from './state.js'

/** Rows come out of their table as the same object while they are the same: what follows from them is worked out once. */
const known = new WeakMap<PageFactsRow, readonly InlineAnnotation[]>()

/** None for a locked document: nothing of what is in it was written down. */
export async function inlineAnnotationsOf({ context, owner, layer, document }: ChangeState) {
  const { tables, pageFacts } = context.deployment
  const { tenant, document: internal } = owner
  const row = await tables.pageFacts.get([tenant, internal, layer?.version ?? document.headVersion])
  if (!row) return []
  const before = known.get(row)
  if (before) return before
  const { pages } = await pageFacts.load(owner, row)
  const inline = pages.flatMap(({ objectNumber: page, inlineAnnotations }) =>
    inlineAnnotations.map(({ baseIndex, objectNumber }) => ({ page, baseIndex, objectNumber })),
  )
  known.set(row, inline)
  return inline
}
