// Row of a pending erasure of redacted content wherever it is stored. Readers see none of it from the commit of the
// redaction on. The row is removed last.
import { type Static, Type } from 'typebox'

export const WithholdingRow = Type.Object({
  /** Content of audit rows and answers of the layer goes up to this audit id. */
  until: Type.Integer({ minimum: 0 }),
  /** Blobs that nothing of the layer names any more. */
  blobs: Type.Array(Type.String()),
  /** Milliseconds since 1970. */
  startedAt: Type.Integer(),
})
export type WithholdingRow = Static<typeof WithholdingRow>
