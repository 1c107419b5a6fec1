// What a flatten asks for and tells.
import type { Static } from 'typebox'
import { Words } from './words.js'

/** Whether what is drawn is what a screen shows or what a printer prints. */
export const FlattenUsage = Words(['display', 'print'])
export type FlattenUsage = Static<typeof FlattenUsage>

/** `unchanged`: nothing of it is drawn for this usage, so it stays what it is. */
export const FlattenStatus = Words(['applied', 'unchanged'])
export type FlattenStatus = Static<typeof FlattenStatus>
