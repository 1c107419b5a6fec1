// Judges pages: their number and order and all their entries, except the list of annotations, must stay as signed.
import { ofKind } from '../../../strict-reader/values-of.js'
import type { Comparison } from '../compare/comparison.js'
import { judgeEntries } from '../compare/entries.js'
import { below, isInnerNode, itemsOf, type Slot } from '../compare/slot.js'
import { judgeAnnotations } from './annotations.js'

export function judgePageTree(comparison: Comparison, root: Slot): void {
  if (!comparison.isSame(root)) comparison.findings.refuse('page-tree', root.place)
  // A stack instead of recursion: page trees may be thousands of levels deep.
  const open: Slot[] = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const reference = next
    comparison.attempt(reference.place, () => judgeNode(comparison, reference, open))
  }
}

/** Judges a page, or an inner node, whose kids it adds to `open`. */
function judgeNode(comparison: Comparison, reference: Slot, open: Slot[]): void {
  const slot = comparison.follow(reference)
  if (!comparison.enter(slot.place, 'page')) return
  if (isInnerNode(slot.after)) judgeInnerNode(comparison, slot, open)
  else judgePage(comparison, slot)
}

function judgeInnerNode(comparison: Comparison, slot: Slot, open: Slot[]): void {
  judgeEntries(comparison, slot, {
    // The only rule of the role `page` is for `/Annots`, which inner nodes do not have.
    roles: [],
    walks: {
      Kids: (kids) => {
        const list = comparison.follow(kids)
        if (!comparison.isSame(kids) || !comparison.isSame(list)) comparison.findings.refuse('page-tree', list.place)
        comparison.enter(list.place, 'page')
        const before = itemsOf(list.before)
        itemsOf(list.after).forEach((kid, index) => {
          const old = list.before === list.after ? kid : before[index]
          if (!comparison.isIdle(old, kid)) open.push({ before: old, after: kid, place: below(list.place, index) })
        })
      },
    },
    drawn: ['Resources'],
  })
}

function judgePage(comparison: Comparison, slot: Slot): void {
  if (ofKind(slot.after, 'dictionary') === undefined) {
    if (!comparison.isSame(slot)) comparison.findings.refuse('page-tree', slot.place, 'Not a page')
    return
  }
  judgeEntries(comparison, slot, {
    roles: ['page'],
    walks: { Annots: (annotations) => judgeAnnotations(comparison, annotations) },
    drawn: ['Resources', 'Contents', 'Group', 'Thumb'],
  })
}
