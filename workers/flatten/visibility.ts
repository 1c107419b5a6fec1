// Determines whether an annotation is visible on a screen or on paper (ISO 32000-2, 12.5.3).
import type { PDFObject } from 'mupdf'
import { flagNames } from '../annotations/reading/common.js'
import type { AnnotationFlags } from '../contract/annotations/common.js'
import type { FlattenUsage } from '../contract/flatten.js'
import { entry, integerOf, nameOf } from '../objects/values.js'

type IsSet = (flag: keyof AnnotationFlags) => boolean

const rules: Readonly<Record<FlattenUsage, (isSet: IsSet) => boolean>> = {
  display: (isSet) => !isSet('hidden') && !isSet('noView'),
  print: (isSet) => !isSet('hidden') && isSet('print'),
}

/** Subtypes that are never drawn: popups are windows of a viewer, and a drawn link would have no effect. */
const neverDrawn: readonly (string | undefined)[] = ['Popup', 'Link']

export function isDrawn(annotation: PDFObject, usage: FlattenUsage): boolean {
  const flags = integerOf(entry(annotation, 'F')) ?? 0
  const isSet: IsSet = (flag) => (flags & (1 << flagNames.indexOf(flag))) !== 0
  return rules[usage](isSet) && !neverDrawn.includes(nameOf(entry(annotation, 'Subtype')))
}
