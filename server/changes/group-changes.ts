// Reports annotations of which only the group changed: workers do not see groups, so the server adds them to the items.

import type { UnfinishedItem } from '../../workers/change/unfinished-item.js'
import { pageRef } from '../../workers/contract/page-ref.js'
import { annotationNumber } from '../layers/attribution.js'
import type { PromotedAnnotations } from '../rows/version.js'
import type { GroupStep } from './stored-change.js'

/** Returns the items with these annotations named in their `meta`. */
export function withGroupChanges(
  items: readonly UnfinishedItem[],
  { groups, promoted }: { readonly groups: readonly GroupStep[]; readonly promoted: PromotedAnnotations },
): readonly UnfinishedItem[] {
  if (groups.length === 0) return items
  const pages = new Map(groups.map(({ annotation, page }) => [annotation, page]))
  return items.map((item) => {
    if (item.type !== 'annotations.update' || item.meta.changed.length > 0) return item
    const { ref } = item.annotation
    const page = pages.get(annotationNumber(ref, promoted) ?? 0)
    if (page === undefined) return item
    return { ...item, meta: { ...item.meta, changed: [ref], affectedPages: [pageRef(page)] } }
  })
}

/**
 * Returns steps that change nothing in the file, so that an undo returns the annotations with their restored groups.
 */
export function groupUndoSteps(groups: readonly GroupStep[], steps: readonly { readonly type: string }[]) {
  const reported = new Set(steps.flatMap((step) => ('number' in step ? [step.number] : [])))
  return groups
    .filter(({ annotation }) => !reported.has(annotation))
    .map(({ annotation, page }) => ({ type: 'annotations.update', page, number: annotation, before: {}, after: {} }))
}
