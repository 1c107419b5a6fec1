// Content of a document: inline in the row if small, else a slice of a blob shared by the large pieces of one change.
// Content of an encrypted document is sealed with the key of the deployment.
import { type Static, Type } from 'typebox'
import { sealedOverheadBytes } from './sealing.js'
import { StoredBlob } from './version.js'

export const Content = Type.Object({
  isSealed: Type.Boolean(),
  /** Base64, or the position in a blob of the document. */
  at: Type.Union([
    Type.Object({ inline: Type.String() }),
    Type.Object({
      pack: StoredBlob,
      offset: Type.Integer({ minimum: 0 }),
      length: Type.Integer({ minimum: 0 }),
    }),
  ]),
})
export type Content = Static<typeof Content>

/** Returns the length in bytes of the content itself. */
export function lengthOf({ at, isSealed }: Content): number {
  const length = 'inline' in at ? Buffer.byteLength(at.inline, 'base64') : at.length
  return isSealed ? length - sealedOverheadBytes : length
}
