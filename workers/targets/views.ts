// Views of a page: their places by edges, as files have them, and as the members of a destination.
import type { Destination } from '../contract/destination.js'
import type { PageRef } from '../contract/page-ref.js'
import type { PageSpace } from '../document/page-space.js'

/** Name of a number of a view; `bottom` and `right` are those of a rectangle. */
export type ViewNumber = 'left' | 'bottom' | 'right' | 'top' | 'zoom'

/** Name of a number in XFDF (ISO 19444-1): with a capital letter. */
export const viewAttribute = (name: ViewNumber): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`

/** A number that is missing leaves the viewer where it is. */
export type ViewNumbers = { readonly [Name in ViewNumber]?: number | null }

/** Name of each kind of view, in files and in XFDF. */
export const viewNames: { readonly [Kind in Destination['kind']]: string } = {
  xyz: 'XYZ',
  fit: 'Fit',
  fitB: 'FitB',
  fitH: 'FitH',
  fitBH: 'FitBH',
  fitV: 'FitV',
  fitBV: 'FitBV',
  fitR: 'FitR',
}

/** Returns the kind of view of a name; undefined for another name. */
export const viewKindOf = (name: string | undefined): Destination['kind'] | undefined =>
  name === undefined ? undefined : kindsByName.get(name)

/** Numbers of each kind of view, in the order of files. */
export const viewNumbers: { readonly [Kind in Destination['kind']]: readonly ViewNumber[] } = {
  xyz: ['left', 'top', 'zoom'],
  fit: [],
  fitB: [],
  fitH: ['top'],
  fitBH: ['top'],
  fitV: ['left'],
  fitBV: ['left'],
  fitR: ['left', 'bottom', 'right', 'top'],
}

/** Returns the destination; numbers of a rectangle that are missing are 0. */
export function destinationFrom(kind: Destination['kind'], page: PageRef, numbers: ViewNumbers): Destination {
  const { left = null, top = null, zoom = null } = numbers
  switch (kind) {
    case 'xyz':
      return { kind, page, x: left, y: top, left, top, zoom }
    case 'fitH':
    case 'fitBH':
      return { kind, page, y: top, top }
    case 'fitV':
    case 'fitBV':
      return { kind, page, x: left, left }
    case 'fitR':
      return rectangleFrom(page, numbers)
    default:
      return { kind, page }
  }
}

function rectangleFrom(page: PageRef, numbers: ViewNumbers): Destination {
  const [left, right] = [numbers.left ?? 0, numbers.right ?? 0]
  const [top, bottom] = [numbers.top ?? 0, numbers.bottom ?? 0]
  const box = {
    x: Math.min(left, right),
    y: Math.min(top, bottom),
    width: Math.abs(right - left),
    height: Math.abs(bottom - top),
  }
  return { kind: 'fitR', page, ...box, left, bottom, right, top }
}

/** Returns the numbers of a destination; undefined for a rectangle that lacks some. */
export function numbersOf(destination: Destination): ViewNumbers | undefined {
  if (destination.kind === 'fitR') {
    const { x, y, width, height, left, bottom, right, top } = destination
    if (x !== undefined && y !== undefined && width !== undefined && height !== undefined) {
      return { left: x, top: y, right: x + width, bottom: y + height }
    }
    if (left === undefined || bottom === undefined || right === undefined || top === undefined) return undefined
    return { left, bottom, right, top }
  }
  const { x, y, left, top, zoom } = destination as Partial<Extract<Destination, { readonly kind: 'xyz' }>>
  return { left: x ?? left ?? null, top: y ?? top ?? null, zoom: zoom ?? null }
}

/** Converts a number of a view to the space of the file. */
export function inFile(space: PageSpace, name: ViewNumber, value: number): number {
  if (name === 'zoom') return value
  return isAcross(name) ? space.toUserPoint({ x: value, y: 0 }).x : space.toUserPoint({ x: 0, y: value }).y
}

/** Converts a number of a view of the file to the space of the page. */
export function onPage(space: PageSpace, name: ViewNumber, value: number): number {
  if (name === 'zoom') return value
  return isAcross(name) ? space.toPagePoint(value, 0).x : space.toPagePoint(0, value).y
}

const isAcross = (name: ViewNumber): boolean => name === 'left' || name === 'right'

const kindsByName = new Map(
  Object.entries(viewNames).map(([kind, name]) => [name, kind as Destination['kind']] as const),
)
