// Index of expiring rows by time. `server/expiry` handles each kind.
import { Mark } from '../rows/pointers.js'
import { refersTo, rowKind } from './row-kind.js'

/** Kinds of expiring rows, as written in the index. */
export const expiryKinds = [
  'upload',
  'revocation',
  'view',
  'signing',
  'password-session',
  'reserved-numbers',
  'refusals',
  'stored-by',
  'webhook-delivery',
] as const
export type ExpiryKind = (typeof expiryKinds)[number]

/** Name of the row kind by the kind of expiry. */
const expiringKinds: ReadonlyMap<string, string> = new Map([
  ['upload', 'document'],
  ['revocation', 'revocation'],
  ['view', 'view'],
  ['signing', 'signing'],
  ['password-session', 'password-session'],
  ['reserved-numbers', 'reserved-numbers'],
  ['refusals', 'refusals'],
  ['stored-by', 'stored-by'],
  ['webhook-delivery', 'webhook-delivery'],
] satisfies readonly (readonly [ExpiryKind, string])[])

/** Kinds whose rows belong to a document, which is a part of their subject. */
const ofDocuments: ReadonlySet<string> = new Set<ExpiryKind>([
  'signing',
  'password-session',
  'reserved-numbers',
  'refusals',
  'stored-by',
  'webhook-delivery',
])

const separator = '/'

export const expiries = rowKind({
  name: 'expiry',
  key: [
    ['at', 'number'],
    ['kind', 'text'],
    ['tenant', 'text'],
    ['subject', 'text'],
  ],
  schema: Mark,
  leadsTo: ([, kind, tenant, subject]) =>
    refersTo(expiringKinds.get(kind) ?? kind, tenant, ...(ofDocuments.has(kind) ? subjectsOf(subject) : [subject])),
})

/** `subjects`: parts of the row's key after the tenant; more than one for kinds whose parts are internal ids. */
export const expiry = (at: number, kind: ExpiryKind, tenant: string, ...subjects: readonly string[]) =>
  expiries.entry([at, kind, tenant, subjects.join(separator)], {})

/** Internal ids contain no separator. */
export const subjectsOf = (subject: string): readonly string[] => subject.split(separator)
