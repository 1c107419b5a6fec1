// The pages a request names, each checked to be one of the document's.

import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { CommitMembers, MutationMeta } from '../contract/mutation-meta.js'
import { type PageRef, pageRef } from '../contract/page-ref.js'

/** Object numbers in the order they are named, each once. Throws `NotFound`. */
export function pagesNamedIn({ document }: Change, refs: readonly PageRef[]): ReadonlySet<number> {
  const pages = new Set(refs.map(({ objectNumber }) => objectNumber))
  for (const page of pages) document.indexOf(page)
  return pages
}

/** Returns the pages in the order they are named; a page that is named twice has two places. */
export function pagesNamedOnce(change: Change, refs: readonly PageRef[]): readonly number[] {
  const pages = pagesNamedIn(change, refs)
  if (pages.size < refs.length) throw new JobRefusal('InvalidArg', 'A page is named twice')
  return [...pages]
}

/** Page operations are not taken back. */
export function pageMeta(pages: Iterable<number>): Omit<MutationMeta, CommitMembers> {
  return { affectedPages: [...pages].map(pageRef), undoable: false }
}
