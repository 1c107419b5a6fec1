// Row of a share grant. Its key contains the internal id of the document, so that the grant never opens a later
// document with the same public id.
import { type Static, Type } from 'typebox'

const Milliseconds = Type.Integer({ minimum: 0 })

export const ShareRow = Type.Object({
  /** The public share token. */
  id: Type.String(),
  /** Public id of the document. */
  docId: Type.String(),
  layerName: Type.String(),
  scope: Type.Array(Type.String()),
  /** Name that all sessions have; missing = visitors give their own. */
  displayName: Type.Optional(Type.String()),
  origins: Type.Union([Type.Array(Type.String()), Type.Null()]),
  /** Hash by scrypt, as `Passphrases` writes it. */
  passwordHash: Type.Union([Type.String(), Type.Null()]),
  sessionTtlSeconds: Type.Integer({ minimum: 1 }),
  /** Bytes that all sessions may store; 0 = unlimited, null or missing = the setting of the deployment. */
  storedBytesMax: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
  disabled: Type.Boolean(),
  expiresAt: Type.Union([Milliseconds, Type.Null()]),
  exchangeCount: Type.Integer({ minimum: 0 }),
  lastExchangedAt: Type.Union([Milliseconds, Type.Null()]),
  /** Bytes with which the row counts as stored; missing = an older server wrote it, and it counts as nothing. */
  rowBytes: Type.Optional(Type.Integer({ minimum: 0 })),
  createdBy: Type.String(),
  createdAt: Milliseconds,
  updatedAt: Milliseconds,
})
export type ShareRow = Static<typeof ShareRow>
