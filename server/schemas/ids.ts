// Schemas of names and numbers in paths and bodies.
import { type Static, type TSchema, Type } from 'typebox'
import type { FormFieldRef } from '../../workers/contract/form-field-ref.js'
import { limits } from '../limits.js'

const plainIdCharactersMax = 128
const plainId = '^[A-Za-z0-9_-]+$'

/** True for ids that can exist. Others are never stored and need no lookup. */
export const isPlainId = (text: string): boolean =>
  text.length <= plainIdCharactersMax && new RegExp(plainId).test(text)

const layerNameCharactersMax = 256

/** True for names that can exist: keys have bounds, and contain well-formed text. */
export const isLayerName = (text: string): boolean =>
  text.length >= 1 && text.length <= layerNameCharactersMax && !/[\0\p{Surrogate}]/u.test(text)

const PlainId = (example: string) =>
  Type.String({ pattern: plainId, minLength: 1, maxLength: plainIdCharactersMax, examples: [example] })
export const TenantId = PlainId('acme')
export const DocId = PlainId('report-2026')
export const LayerName = Type.Refine(
  Type.String({ minLength: 1, maxLength: layerNameCharactersMax }),
  isLayerName,
  () => 'must be well-formed Unicode without U+0000',
)
/** Key of a page: `obj:3`; older clients send the bare number. */
export const PageKey = Type.String({ pattern: '^(obj:)?[1-9][0-9]{0,9}$', examples: ['obj:3'] })
/** Key of an annotation: `obj:7`, or `base:0` for one that the uploaded file stores inline. */
export const AnnotKey = Type.String({
  pattern: '^(obj:[1-9][0-9]{0,9}|base:(0|[1-9][0-9]{0,9}))$',
  examples: ['obj:7', 'base:0'],
})
/** Key of a field: `obj:12`, or `fqn:` and the full name of a field. */
export const FieldKey = Type.String({
  pattern: '^(obj:[1-9][0-9]{0,9}|fqn:[\\s\\S]+)$',
  examples: ['obj:12', 'fqn:address.street'],
})
const sha256Examples = ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855']
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$', examples: sha256Examples })
/** SHA-256 in hexadecimal of either case, as clients send it. */
export const Sha256AnyCase = Type.String({ pattern: '^[0-9A-Fa-f]{64}$', examples: sha256Examples })
export const ShareToken = Type.String({
  pattern: '^shr_[A-Za-z0-9_-]{24}$',
  examples: ['shr_5kTq0yYcRr1mB9xWfGz2Lw7n'],
})
export const Jti = Type.String({ minLength: 1, maxLength: 256 })
export const IdempotencyKey = Type.String({
  pattern: '^[\\x20-\\x7e]+$',
  minLength: 1,
  maxLength: limits.idempotencyKeyCharactersMax,
  examples: ['order-4711'],
})

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Bytes that a tenant, share or token may store; 0 = unlimited. */
export const StoredBytesMax = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Query members of a list; such a query is strict. */
export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSizeMax })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
}

export const TenantPath = Type.Object({ tenantId: TenantId })
export const TenantDocumentPath = Type.Object({ tenantId: TenantId, id: DocId })
export const DocumentPath = Type.Object({ docId: DocId })
export const LayerPath = Type.Object({ docId: DocId, layerName: LayerName })
export const PagePath = Type.Object({ docId: DocId, layerName: LayerName, pageKey: PageKey })
export const AnnotationPath = Type.Object({ docId: DocId, layerName: LayerName, pageKey: PageKey, annotKey: AnnotKey })
export const FieldPath = Type.Object({ docId: DocId, layerName: LayerName, fieldKey: FieldKey })
export const VersionPath = Type.Object({ docId: DocId, sha: Sha256 })

export type PageKeyText = Static<typeof PageKey>

/** Parses a field key: `obj:12`, or `fqn:address.street`. */
export const fieldRefOf = (fieldKey: string): FormFieldRef =>
  fieldKey.startsWith('fqn:')
    ? { kind: 'fqn', name: fieldKey.slice('fqn:'.length) }
    : { kind: 'objectNumber', objectNumber: Number(fieldKey.slice('obj:'.length)) }

/** Returns the object number of a page key: `obj:3` or `3`. */
export const objectNumberOf = (pageKey: PageKeyText): number => Number(pageKey.replace(/^obj:/, ''))
