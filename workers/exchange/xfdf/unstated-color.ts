// Colour of a new annotation for which a file states none: it has no /C then, which reads as black.
import type { WritableName } from '../../contract/annotations/writable.js'
import { black } from '../../objects/colors.js'
import type { XmlTree } from '../xml/xml-tree.js'
import type { Members } from './read-shapes.js'

export interface UnstatedColor {
  /** Members that a new annotation gets because the file states none. */
  readonly unstated: Members
  /** Names of attributes whose lack a new annotation cannot express. */
  readonly lacking: readonly string[]
}

/** Subtypes whose attribute `color` is not their colour, or that have none. */
const others: ReadonlySet<WritableName> = new Set(['free-text', 'stamp', 'link', 'popup'])

export function unstatedColor({ attributes }: XmlTree, subtype: WritableName): UnstatedColor {
  if (attributes.has('color') || others.has(subtype)) return { unstated: {}, lacking: [] }
  // Black would hide the text under a highlight, so that it gets the usual colour.
  if (subtype === 'highlight') return { unstated: {}, lacking: ['color'] }
  return { unstated: { color: black }, lacking: [] }
}
