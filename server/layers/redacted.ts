// Redactions of a layer, after which stored responses and older versions contain what it no longer shows.
import type { LayerRow } from '../rows/layer.js'

type Redactions = Pick<LayerRow, 'privateBase' | 'redactedUntil'>

export const wasRedacted = ({ privateBase, redactedUntil }: Redactions): boolean =>
  privateBase !== null || redactedUntil !== undefined

/** True if the version contains what was redacted from the layer. */
export const containsRedacted = ({ privateBase, redactedUntil = 0 }: Redactions, version: number): boolean =>
  privateBase !== null || version <= redactedUntil
