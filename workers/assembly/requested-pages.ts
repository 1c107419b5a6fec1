// Resolves page references of a request to object numbers.

import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { CommitMembers, MutationMeta } from '../contract/mutation-meta.js'
import { type PageRef, pageRef } from '../contract/page-ref.js'

/** Returns object numbers in request order, without duplicates. Throws `NotFound`. */
export function requestedPages({ document }: Change, refs: readonly PageRef[]): ReadonlySet<number> {
  const pages = new Set(refs.map(({ objectNumber }) => objectNumber))
  for (const page of pages) document.indexOf(page)
  return pages
}

/** Returns object numbers in request order. Throws `NotFound`, and `InvalidArg` for a page that is named twice. */
export function distinctRequestedPages(change: Change, refs: readonly PageRef[]): readonly number[] {
  const pages = requestedPages(change, refs)
  if (pages.size < refs.length) throw new JobRefusal('InvalidArg', 'A page is named twice')
  return [...pages]
}

/** Returns the metadata of the item of an op on pages that cannot be undone. */
export function pageMeta(pages: Iterable<number>): Omit<MutationMeta, CommitMembers> {
  return { affectedPages: [...pages].map(pageRef), undoable: false }
}
