// Schemas of requests and results of a flatten.
import type { Static } from 'typebox'
import { Words } from './words.js'

/** Purpose of the drawing: annotations are drawn as shown on a screen, or as printed. */
export const FlattenUsage = Words(['display', 'print'])
export type FlattenUsage = Static<typeof FlattenUsage>

/** Result. `unchanged`: nothing of it is drawn for this usage, so it was not flattened. */
export const FlattenStatus = Words(['applied', 'unchanged'])
export type FlattenStatus = Static<typeof FlattenStatus>
