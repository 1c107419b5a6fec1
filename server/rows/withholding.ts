// Row of a pending erasure of redacted content wherever it is stored. Readers see none of it from the commit of the
// redaction on. The row is removed last.
import { type Static, Type } from 'typebox'

export const WithholdingRow = Type.Object({
  /** Audit id up to which content of audit rows and stored responses of the layer is erased. */
  until: Type.Integer({ minimum: 0 }),
  /** Blobs that the layer no longer names. */
  blobs: Type.Array(Type.String()),
  /** Milliseconds since 1970. */
  startedAt: Type.Integer(),
})
export type WithholdingRow = Static<typeof WithholdingRow>
