// Words of XFDF (ISO 19444-1) and their equivalents: elements of annotations, flags, border styles, alignments.

import { flagNames } from '../../annotations/reading/common.js'
import type { WritableName } from '../../contract/annotations/writable.js'
import type { ParagraphAlign } from '../../contract/text-align.js'

export const xfdfNamespace = 'http://ns.adobe.com/xfdf/'

/** Attribute that says which annotation of which document an exported one is, whatever its name; other programs pass over it. */
export const identityAttribute = 'steward:id'
export const identityNamespace = 'urn:steward:annotation'

/** Subtypes by the names of their elements. */
export const subtypesByElement: Readonly<Record<string, WritableName>> = {
  text: 'text',
  highlight: 'highlight',
  underline: 'underline',
  squiggly: 'squiggly',
  strikeout: 'strikeout',
  caret: 'caret',
  circle: 'circle',
  square: 'square',
  line: 'line',
  polygon: 'polygon',
  polyline: 'polyline',
  ink: 'ink',
  freetext: 'free-text',
  stamp: 'stamp',
  fileattachment: 'file-attachment',
  redact: 'redact',
  link: 'link',
}

const elements: ReadonlyMap<string, string> = new Map(
  Object.entries(subtypesByElement).map(([element, subtype]) => [subtype, element]),
)

/** Returns undefined for subtypes that XFDF has no element for. */
export const elementOf = (subtype: string): string | undefined => elements.get(subtype)

/** Flags in the order of their bits in /F. */
export const flagWords: readonly string[] = flagNames.map((name) => name.toLowerCase())

/** Border styles by their names in /BS. */
export const borderWords: Readonly<Record<string, string>> = {
  S: 'solid',
  D: 'dash',
  B: 'bevelled',
  I: 'inset',
  U: 'underline',
}

/** XFDF has no word for justified text. */
export const alignWords: Readonly<Record<ParagraphAlign, string>> = {
  left: 'left',
  center: 'centered',
  right: 'right',
  justify: 'left',
}

/** Returns the word of the wire for a name of PDF: `ROpenArrow` -> `r-open-arrow`. */
export function wireWord(name: string): string {
  const known = oddWords[name]
  if (known !== undefined && Object.hasOwn(oddWords, name)) return known
  return name.replace(/(?<=[a-z])(?=[A-Z])|(?<=^[A-Z])(?=[A-Z])/g, '-').toLowerCase()
}

const oddWords: Readonly<Record<string, string>> = {
  FreeTextTypeWriter: 'free-text-typewriter',
  PolyLineDimension: 'polyline-dimension',
  StrikeOutTextEdit: 'strikeout-text-edit',
}
