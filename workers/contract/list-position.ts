// Schema of a position in a list: at the start, at the end, or beside a named element.
import { type Static, type TSchema, Type } from 'typebox'
import { AnnotationRef } from './annotation-ref.js'
import { FormFieldRef } from './form-field-ref.js'
import { PageRef } from './page-ref.js'
import { strict } from './strict.js'

export const ListPosition = <Ref extends TSchema>(ref: Ref) =>
  Type.Union([
    Type.Literal('start'),
    Type.Literal('end'),
    Type.Object({ before: ref }, strict),
    Type.Object({ after: ref }, strict),
  ])

export const PagePosition = ListPosition(PageRef)
export type PagePosition = Static<typeof PagePosition>

export const AnnotationPosition = ListPosition(AnnotationRef)
export type AnnotationPosition = Static<typeof AnnotationPosition>

export const FieldPosition = ListPosition(FormFieldRef)
export type FieldPosition = Static<typeof FieldPosition>

export type ListPosition<Ref> = 'start' | 'end' | { readonly before: Ref } | { readonly after: Ref }
