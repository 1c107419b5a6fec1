// Row of an asynchronous import, from its acceptance until its document is ready or failed. It names a connection and
// a key, never a URL or a credential. A process that works on it holds a claim; whoever commits for the import expects
// its own claim in this row.
import { type Static, type TSchema, Type } from 'typebox'

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Identity of the bytes at the source: attempts after the first one accept no other. */
export const ObservedSource = Type.Object({
  sizeBytes: Type.Integer({ minimum: 0 }),
  /** Entity tag or similar of the storage; null if it has none. */
  tag: Nullable(Type.String()),
})
export type ObservedSource = Static<typeof ObservedSource>

export const ImportRow = Type.Object({
  /** Names the file that this import writes; no other import of the document uses it. */
  id: Type.String(),
  connection: Type.String(),
  key: Type.String(),
  revision: Nullable(Type.String()),
  observed: Nullable(ObservedSource),
  /** Number of attempts that were started, without those that this server interrupted itself. */
  attempts: Type.Integer({ minimum: 0 }),
  /** Milliseconds since 1970: next attempt, if there is no claim. */
  dueAt: Type.Integer({ minimum: 0 }),
  /** Attempt in progress; it counts as abandoned after `expiresAt`. */
  claim: Nullable(Type.Object({ token: Type.String(), expiresAt: Type.Integer({ minimum: 0 }) })),
  /** Code of the failure of the last attempt. */
  lastFailure: Nullable(Type.String()),
  createdAt: Type.Integer(),
})
export type ImportRow = Static<typeof ImportRow>

/** Failure reasons of documents whose file was never obtained; the same idempotency key starts the import again. */
export const importFailures = {
  /** There is no readable file under the key. */
  notFound: 'source-not-found',
  /** The connection does not exist any more, or no longer allows the key or the tenant. */
  refused: 'source-not-allowed',
  tooLarge: 'source-too-large',
  /** The file has another size or SHA-256 than `expected`. */
  mismatch: 'source-mismatch',
  /** The file was replaced at its source between two attempts. */
  changed: 'source-changed',
  /** Every attempt failed. */
  unavailable: 'source-unavailable',
} as const
export type ImportFailure = (typeof importFailures)[keyof typeof importFailures]

const reasons: ReadonlySet<string | null> = new Set(Object.values(importFailures))

export const isImportFailure = (reason: string | null): boolean => reasons.has(reason)
