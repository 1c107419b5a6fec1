// Lists of pages in a request.
import { Type } from 'typebox'
import { PageRef } from './page-ref.js'

const maxItems = 50_000

/** Naming none does nothing. */
export const NamedPages = Type.Array(PageRef, { maxItems })
export const SomePages = Type.Array(PageRef, { minItems: 1, maxItems })
