// Schema of a list of pages in a request.
import { Type } from 'typebox'
import { PageRef } from './page-ref.js'

const maxItems = 50_000

/** Pages by their references; an empty list changes nothing. */
export const NamedPages = Type.Array(PageRef, { maxItems })
export const SomePages = Type.Array(PageRef, { minItems: 1, maxItems })
