// Writes targets of links (ISO 32000-2, 12.3.2 and 12.6.4).
import type { PDFObject } from 'mupdf'
import type { Destination } from '../contract/destination.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { LinkTarget } from '../contract/link-target.js'
import type { PageSpace } from '../document/page-space.js'
import type { Target } from './entries.js'

export function putLinkTarget({ change, object }: Target, target: LinkTarget | null): void {
  object.delete('A')
  object.delete('Dest')
  const { pdf } = change
  if (target?.kind === 'uri') {
    const action = pdf.newDictionary()
    action.put('S', pdf.newName('URI'))
    action.put('URI', pdf.newString(target.uri))
    object.put('A', action)
  } else if (target?.kind === 'goto') object.put('Dest', destinationArray({ change, target: target.destination }))
}

interface LinkedDestination {
  readonly change: Target['change']
  readonly target: Destination
}

type Position = number | null

/** Names of views, with their coordinates in user space. */
const views: { readonly [Kind in Destination['kind']]: readonly [name: string, numbers: readonly string[]] } = {
  xyz: ['XYZ', ['left', 'top', 'zoom']],
  fit: ['Fit', []],
  fitB: ['FitB', []],
  fitH: ['FitH', ['top']],
  fitBH: ['FitBH', ['top']],
  fitV: ['FitV', ['left']],
  fitBV: ['FitBV', ['left']],
  fitR: ['FitR', ['left', 'bottom', 'right', 'top']],
}

function destinationArray({ change, target }: LinkedDestination): PDFObject {
  const { document, pdf } = change
  const number = target.page.objectNumber
  if (!document.hasPage(number))
    throw new JobRefusal('InvalidArg', `The link refers to the page obj:${number}, which does not exist`)
  const space = change.reading().spaceOf(number)
  const [name, members] = views[target.kind]
  const values = new Map<string, Position>(Object.entries(target).filter(([, value]) => typeof value === 'number'))
  const array = pdf.newArray()
  array.push(document.pageObject(number))
  array.push(pdf.newName(name))
  for (const member of members) array.push(wireCoordinate(space, member, values.get(member) ?? null))
  return array
}

/** Converts a coordinate; null = the viewer keeps its current value. */
function wireCoordinate(space: PageSpace, member: string, value: Position): Position {
  if (value === null || member === 'zoom') return value
  const isAcross = member === 'left' || member === 'right'
  return isAcross ? space.toUserPoint({ x: value, y: 0 }).x : space.toUserPoint({ x: 0, y: value }).y
}
