// Reads the outline of a document: a tree of linked lists, which in a broken file may be cyclic or endless.
import type { PDFObject } from 'mupdf'
import type { Bookmark, Bookmarks } from '../contract/bookmarks.js'
import type { Reading } from '../document/reading.js'
import { colorOf } from '../objects/colors.js'
import { readingLimits } from '../objects/reading-limits.js'
import { entry, integerOf, isArray, isDictionary, objectNumberOf } from '../objects/values.js'
import { linkTargetOf } from './link-targets.js'

/** Bits of /F. */
const [italicBit, boldBit] = [1, 2]

export function readBookmarks(reading: Reading): Bookmarks {
  const walk: Walk = { reading, seen: new Set(), incomplete: false }
  const bookmarks = itemsOf(walk, entry(reading.catalog, 'Outlines'), 0)
  return { bookmarks: [...bookmarks], incomplete: walk.incomplete }
}

interface Walk {
  readonly reading: Reading
  /** Object numbers of items: an item that is linked again is damage. */
  readonly seen: Set<number>
  incomplete: boolean
}

function itemsOf(walk: Walk, parent: PDFObject, depth: number): readonly Bookmark[] {
  const items: Bookmark[] = []
  for (let item = entry(parent, 'First'); isDictionary(item); item = entry(item, 'Next')) {
    const number = objectNumberOf(item)
    const isRepeated = number !== undefined && walk.seen.has(number)
    if (isRepeated || depth >= readingLimits.outlineDepthMax || walk.seen.size >= readingLimits.outlineItemsMax) {
      walk.incomplete = true
      break
    }
    // Items without a number cannot be linked twice, but count too.
    walk.seen.add(number ?? -walk.seen.size - 1)
    items.push(bookmarkOf(walk, item, depth))
  }
  return items
}

function bookmarkOf(walk: Walk, item: PDFObject, depth: number): Bookmark {
  const { reading } = walk
  const flags = integerOf(entry(item, 'F')) ?? 0
  const color = entry(item, 'C')
  return {
    title: reading.text(item, 'Title') ?? '',
    target: linkTargetOf(reading, item),
    isOpen: (integerOf(entry(item, 'Count')) ?? 0) > 0,
    isBold: (flags & boldBit) !== 0,
    isItalic: (flags & italicBit) !== 0,
    color: (isArray(color) ? colorOf(color) : undefined) ?? null,
    children: [...itemsOf(walk, item, depth + 1)],
  }
}
