// The pin a versioned read must name now: the one of its document, for every part of it.
import type { DocumentContext } from '../operation.js'
import { firstPin } from './pins.js'

export const currentPin = async (_input: unknown, { document }: DocumentContext): Promise<number> =>
  firstPin(document.row)
