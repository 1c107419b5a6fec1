// Opens the PDF to insert, checks it, passes it to a callback and closes it.

import type { Resource } from '../change/unfinished-item.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { OpenDocument } from '../document/open-document.js'
import { openFile } from '../document/open-file.js'
import { circularMembers, cutCircles } from '../intake/circular-parents.js'
import { forceRepair } from '../intake/force-repair.js'
import { isSound, leavesOf, rebuildPageTree, TooManyPages } from '../intake/page-tree.js'
import { separateAnnotations, sharesAnnotations } from '../intake/shared-annotations.js'
import { limits } from '../limits.js'

/**
 * Opens the source. Throws `InvalidArg` with a `reason`, or `PayloadTooLarge`. Changes that `use` makes to the source
 * are discarded.
 */
export function withSource<Answer>({ path, sizeBytes }: Resource, use: (source: OpenDocument) => Answer): Answer {
  checkLimit('insertedBytesMax', sizeBytes)
  const source = openInserted(path)
  try {
    if (source.openedAs !== 'none') throw refused('encrypted', 'The PDF to insert is encrypted')
    // If damage were detected later, the engine would repair the file and lose the changes made until then.
    forceRepair(source.pdf)
    cutCircles(source, circularMembers(source))
    makeSound(source)
    if (source.pageCount === 0) throw refused('no-pages', 'The PDF to insert has no pages')
    checkLimit('insertedPagesMax', source.pageCount)
    if (sharesAnnotations(source)) separateAnnotations(source)
    return use(source)
  } finally {
    source.destroy()
  }
}

function openInserted(path: string): OpenDocument {
  try {
    return openFile({ path })
  } catch (error) {
    if (!(error instanceof JobRefusal)) throw error
    throw error.code === 'DocPasswordRequired' || error.details?.['reason'] === 'unsupported-encryption'
      ? refused('encrypted', 'The PDF to insert is encrypted')
      : unreadable()
  }
}

/** Turns pages that are stored inline or listed twice into objects of their own. */
function makeSound(source: OpenDocument): void {
  try {
    const leaves = leavesOf(source)
    if (isSound(source, leaves)) return
    rebuildPageTree(source, leaves)
    source.forgetPages()
  } catch (error) {
    if (error instanceof TooManyPages) checkLimit('insertedPagesMax', limits.pagesMax + 1)
    throw error instanceof JobRefusal ? unreadable() : error
  }
}

const refused = (reason: string, message: string): JobRefusal =>
  new JobRefusal('InvalidArg', message, { role: 'source', reason })

const unreadable = (): JobRefusal => refused('unreadable', 'The file to insert is not a readable PDF')

function checkLimit(limit: 'insertedBytesMax' | 'insertedPagesMax', value: number): void {
  const max = limits[limit]
  if (value <= max) return
  throw new JobRefusal(
    'PayloadTooLarge',
    `The PDF to insert exceeds the limit of ${max} ${limit === 'insertedBytesMax' ? 'bytes' : 'pages'}`,
    { limit, max, value },
  )
}
