// Adds the requested signature to an open document: field, dictionary, appearance, entries of the form and the catalog.
import type { PDFObject } from 'mupdf'
import { pictureFrom } from '../annotations/pictures.js'
import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { type FieldLock, isLockedBy } from '../contract/signatures/field-lock.js'
import type { SignaturePrepare, SigningDigest } from '../contract/signatures/preparation.js'
import { type DocumentProtection, restraintText } from '../contract/signatures/protection.js'
import { inherited } from '../fields/inheritance.js'
import type { FoundField } from '../forms/reading/found-field.js'
import { formMeta } from '../forms/writing/form-meta.js'
import { putPicture } from '../forms/writing/put-picture.js'
import { entry, integerOf, isDictionary, isMissing, objectNumberOf } from '../objects/values.js'
import { isSameLock, lockOf, putLock } from './field-lock.js'
import { choicesFor } from './seed-values.js'
import { createSignature, createTimestamp, timestampSubFilter } from './signature-dictionary.js'
import { hasSignature, type SignatureField, signatureFieldOf } from './signature-field.js'
import { signatureRefused } from './signature-refused.js'

/** Bits of `/SigFlags`: the document has signatures, and may only be appended to (ISO 32000-2, table 225). */
const signatureFlags = 3

export interface MadeSignature {
  /** Object numbers of the signature dictionary and of the field. */
  readonly signature: number
  readonly field: number
  readonly subFilter: string
  readonly algorithm: SigningDigest
}

export interface SignatureContext {
  /** Protection by the signatures of the layer's base; null = none. */
  readonly protection: DocumentProtection | null
  /** True if a redaction has rewritten the base, so that earlier signatures are broken. */
  readonly isRewritten: boolean
}

/** Adds the signature. Throws `NotFound`, `InvalidArg`, `ProtectedDocument` and `SignatureRefused`. */
export function makeSignature(
  change: Change,
  request: SignaturePrepare,
  { protection, isRewritten }: SignatureContext,
): MadeSignature {
  refuseProtected(request, protection)
  const field = signatureFieldOf(change, request.field)
  refuseLocked(request, field, protection)
  const { object } = field
  const isFirst = !hasSignature(field.model)
  if (isRewritten && !isFirst) throw signatureRefused('redacted', 'The layer was redacted, and contains a signature')
  const made =
    request.kind === 'timestamp' ? addTimestamp(change, request) : addSignature(change, request, { ...field, isFirst })
  object.put('V', made.signature)
  if (isFirst) showInWidget(change, field, made.signature)
  putSignatureFlags(change)
  if (request.certify !== undefined) putCertification(change, made.signature)
  if (request.resources !== undefined) {
    const picture = pictureFrom(change, change.resource(request.resources.appearance, 'appearance'))
    for (const { object: widget } of field.found.widgets) putPicture(change, change.touch(widget), picture)
  }
  formMeta(change, [field.found])
  const { subFilter, algorithm } = made
  return { signature: made.signature.asIndirect(), field: object.asIndirect(), subFilter, algorithm }
}

interface NewSignature extends Pick<MadeSignature, 'subFilter' | 'algorithm'> {
  readonly signature: PDFObject
}

interface FieldToSign extends SignatureField {
  /** True if the document has no signature yet. */
  readonly isFirst: boolean
}

function addTimestamp(change: Change, { digest = 'sha256' }: SignaturePrepare): NewSignature {
  return { signature: createTimestamp(change), subFilter: timestampSubFilter, algorithm: digest }
}

function addSignature(change: Change, request: SignaturePrepare, field: FieldToSign): NewSignature {
  if (request.certify !== undefined && !field.isFirst) {
    throw signatureRefused('certification', 'A certification must be the first signature of a document')
  }
  const { subFilter, digest, reason } = choicesFor(seedOf(field.found), request)
  const { reason: _, ...signer } = request.signer ?? {}
  const lock = lockFor(change, request, field)
  const content = {
    subFilter,
    signer: { ...signer, ...(reason !== undefined && { reason }) },
    certify: request.certify?.permission,
    lock,
  }
  return { signature: createSignature(change, content), subFilter, algorithm: digest }
}

const seedOf = ({ node: { object, lineage } }: FoundField): PDFObject => inherited(lineage, 'SV') ?? entry(object, 'SV')

/**
 * Refuses a second certification, and signatures that the level of protection forbids: `lta` permits only timestamps.
 */
function refuseProtected({ kind, certify }: SignaturePrepare, protection: DocumentProtection | null): void {
  const { enforced = null, enforcedBy = null, certification = null } = protection ?? {}
  if (certify !== undefined && certification !== null) {
    throw signatureRefused('certification', 'The document is certified already')
  }
  if (enforced === 'none' || (enforced === 'lta' && kind !== 'timestamp')) {
    const text = `${restraintText(enforcedBy)} permits no further signatures`
    throw new JobRefusal('ProtectedDocument', text, { enforced, ...(enforcedBy && { by: enforcedBy }) })
  }
}

function refuseLocked({ kind }: SignaturePrepare, field: SignatureField, protection: DocumentProtection | null): void {
  // A document timestamp changes no field but its own.
  if (kind === 'timestamp' && field.isNew) return
  const { name } = field.found.node
  const lock = protection?.fieldLocks.find(({ spec }) => isLockedBy(spec, name))
  if (lock === undefined) return
  const by = lock.fieldName === undefined ? 'An earlier signature' : `The signature in the field "${lock.fieldName}"`
  throw signatureRefused('locked', `${by} has locked the field`)
}

/** Returns the lock of the signature: that of the field, else the requested one, which is also set on a new field. */
function lockFor(
  change: Change,
  { lock: wanted }: SignaturePrepare,
  { object, found, isNew, isFirst }: FieldToSign,
): FieldLock | undefined {
  const own = lockOf(found.node.object)
  if (own !== undefined && wanted !== undefined && !isSameLock(own, wanted)) {
    throw signatureRefused('lock', 'The field has another lock')
  }
  if (own !== undefined || wanted === undefined) return own
  // A field that earlier signatures cover must not change.
  if (isNew || isFirst) {
    const lock = change.pdf.newDictionary()
    lock.put('Type', change.pdf.newName('SigFieldLock'))
    putLock(change.pdf, lock, wanted)
    object.put('Lock', change.create(lock))
  }
  return wanted
}

/**
 * Names the signature in the widget too if that is an object of its own, because some readers look for it there. Must
 * not be called for a signed document, whose signatures cover the widget.
 */
function showInWidget(change: Change, { object, found }: SignatureField, signature: PDFObject): void {
  const [widget, ...others] = found.widgets
  if (widget === undefined || others.length > 0 || widget.object.asIndirect() === object.asIndirect()) return
  change.touch(widget.object).put('V', signature)
}

/** Sets `/SigFlags`. Other entries, such as `/XFA`, are not changed, because signing changes no value. */
function putSignatureFlags(change: Change): void {
  const { catalog } = change.document
  const form = entry(catalog, 'AcroForm')
  if (!isDictionary(form)) throw new JobRefusal('MalformedPdf', 'The document has no form to list the signature in')
  const flags = integerOf(entry(form, 'SigFlags')) ?? 0
  if ((flags & signatureFlags) === signatureFlags) return
  change.touch(objectNumberOf(form) === undefined ? catalog : form)
  form.put('SigFlags', flags | signatureFlags)
}

function putCertification(change: Change, signature: PDFObject): void {
  const { catalog } = change.document
  change.touch(catalog)
  if (isMissing(entry(catalog, 'Perms'))) catalog.put('Perms', change.pdf.newDictionary())
  const permissions = entry(catalog, 'Perms')
  if (objectNumberOf(permissions) !== undefined) change.touch(permissions)
  permissions.put('DocMDP', signature)
}
