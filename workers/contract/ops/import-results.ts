// What an import could not take: annotations, members of annotations, and fields, each with the reason.
import { Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { CountFromOne, CountFromZero } from '../numbers.js'
import { Words } from '../words.js'

const text = Nullable(Type.String())

/** Reasons for which an annotation of a file was not imported, or only in part. */
export const SkippedAnnotationReason = Words([
  'duplicate-name',
  'file-missing',
  'invalid',
  'members-ignored',
  'no-such-page',
  'not-allowed',
  'other-author',
  'other-subtype',
  'reply-target-missing',
  'unsupported-element',
])

export const SkippedAnnotation = Type.Object({
  reason: SkippedAnnotationReason,
  message: Type.String(),
  /** Element of the XFDF, `highlight`. */
  element: Type.String(),
  name: text,
  /** Index of the page, as the file states it. */
  page: Nullable(CountFromZero),
  /** Line of the file. */
  line: CountFromOne,
  /** Attributes and elements that were left out of an annotation that was imported. */
  members: Type.Optional(Type.Array(Type.String())),
})

/** Reasons for which the value of a field was not set. */
export const SkippedFieldReason = Words(['duplicate-field', 'invalid-value', 'no-value', 'unknown-field'])

export const SkippedField = Type.Object({
  reason: SkippedFieldReason,
  message: Type.String(),
  /** Full name of the field. */
  field: Type.String(),
})
