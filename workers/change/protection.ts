// Refuses changes that the signatures of a document forbid, for every op and undo step: classes of changes above the
// level of a certification, annotations that a certification excludes, and fields that a signature locked.
import type { PDFDocument, PDFObject } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import type { ProtectionClass } from '../contract/ops/op-contract.js'
import { annotationsUnderCertification } from '../contract/signatures/annotation-policy.js'
import { isLockedBy } from '../contract/signatures/field-lock.js'
import {
  type DocumentProtection,
  type EnforcedBy,
  includesLevel,
  type ProtectionLevel,
  restraintText,
} from '../contract/signatures/protection.js'
import { fieldOfWidget, fullNameOf, isNamed } from '../fields/field-names.js'
import { isWidget } from '../fields/field-tree.js'
import { isListed } from '../fields/listed-field.js'
import { imageBody, type ObjectImage } from '../objects/object-image.js'
import { entry, hasKey, isDictionary, isMissing, nameOf, objectNumberOf } from '../objects/values.js'

/** Predicates of refusals. */
const permissions: Readonly<Record<ProtectionLevel, string>> = {
  none: 'permits no change',
  lta: 'permits no change but document timestamps',
  fill: 'permits only filling its form and signing',
  annotate: 'permits only annotations, filling its form and signing',
}

export class Protection {
  /** Full names of locked fields at the time the change first touched them, by object number of field or widget. */
  readonly #locked = new Map<number, string>()

  /** Annotations that became objects of their own, as they were before the change altered them. */
  readonly #promoted = new Map<number, Uint8Array>()

  /** Creates the check; null = nothing is protected. */
  constructor(private readonly protection: DocumentProtection | null) {}

  /** True if the document is signed, certified or not. */
  get isSigned(): boolean {
    return (this.protection?.judged ?? null) !== null
  }

  /** Throws `ProtectedDocument` if the document permits no change of this class. */
  refuseClass(type: string, protectionClass: ProtectionClass): void {
    const enforced = this.protection?.enforced ?? null
    if (enforced === null) return
    if (protectionClass !== 'content' && includesLevel(enforced, protectionClass)) return
    const by = this.protection?.enforcedBy ?? null
    throw refused(`${restraintText(by)} ${permissions[enforced]}`, { op: type, permitted: enforced, ...(by && { by }) })
  }

  /** True if a signature has locked the field of this full name. */
  isLocked(fieldName: string): boolean {
    return this.#lockOf(fieldName) !== undefined
  }

  #lockOf(fieldName: string): DocumentProtection['fieldLocks'][number] | undefined {
    return this.protection?.fieldLocks.find(({ spec }) => isLockedBy(spec, fieldName))
  }

  /**
   * Records whether an object belongs to a locked field. Call it before altering the object: its field may be renamed.
   */
  touch(reference: PDFObject): void {
    if ((this.protection?.fieldLocks ?? []).length === 0) return
    const number = objectNumberOf(reference)
    if (number === undefined || this.#locked.has(number) || !isDictionary(reference)) return
    const field = fieldOf(reference)
    const name = field && fullNameOf(field)
    if (name !== undefined && this.isLocked(name)) this.#locked.set(number, name)
  }

  /**
   * Throws `ProtectedDocument` if a locked field was altered, or, in a certified document, an excluded annotation or a field
   * that the form does not list. `images`: objects that the change altered; undefined = all locked fields that it touched.
   */
  refuseAltered({ pdf }: { readonly pdf: PDFDocument }, images: readonly ObjectImage[] | undefined): void {
    for (const number of images?.map((image) => image.number) ?? this.#locked.keys()) {
      const field = this.#locked.get(number)
      if (field !== undefined) throw this.#lockedRefusal(field)
      if (!this.#isCertified || this.#isAsPromoted(pdf.newIndirect(number))) continue
      const by = this.protection?.enforcedBy
      if (this.#excludes) refuseExcluded(pdf.newIndirect(number), by)
      refuseUnlisted(pdf, pdf.newIndirect(number), by)
    }
  }

  #lockedRefusal(field: string): JobRefusal {
    const { signatureIndex, fieldName } = this.#lockOf(field) ?? {}
    const by = fieldName === undefined ? 'A signature' : `The signature in the field "${fieldName}"`
    return refused(`${by} has locked the field "${field}"`, { field, signatureIndex, signatureField: fieldName })
  }

  /** Must be called when an inline annotation became an object of its own, which alone is no change. */
  promote(reference: PDFObject): void {
    const number = objectNumberOf(reference)
    if (this.#isCertified && number !== undefined) this.#promoted.set(number, imageBody(reference))
  }

  get #isCertified(): boolean {
    return (this.protection?.enforced ?? null) !== null
  }

  /** True if some subtypes of annotations may not be written. */
  get #excludes(): boolean {
    return this.protection?.enforced === 'annotate'
  }

  #isAsPromoted(object: PDFObject): boolean {
    const before = this.#promoted.get(objectNumberOf(object) ?? 0)
    return before !== undefined && Buffer.compare(before, imageBody(object)) === 0
  }
}

function fieldOf(object: PDFObject): PDFObject | undefined {
  if (isWidget(object)) return fieldOfWidget(object)
  // In other annotations `/T` is the author.
  if (hasKey(object, 'Subtype')) return undefined
  const isField = isNamed(object) || !isMissing(entry(object, 'FT'))
  return isField ? object : undefined
}

type By = EnforcedBy | null | undefined

function refuseExcluded(object: PDFObject, by: By): void {
  const subtype = isDictionary(object) && hasKey(object, 'Rect') ? nameOf(entry(object, 'Subtype')) : undefined
  if (subtype === undefined || subtype === 'Widget' || annotationsUnderCertification.has(subtype)) return
  throw refused(`${restraintText(by)} permits no ${subtype} annotation, which can cover the content`, {
    subtype,
    ...(by && { by }),
  })
}

/** Filling a form does not include what only looks like one of its fields. */
function refuseUnlisted(pdf: PDFDocument, object: PDFObject, by: By): void {
  const field = isDictionary(object) ? fieldOf(object) : undefined
  if (field === undefined || isListed(pdf, object)) return
  const name = fullNameOf(field)
  throw refused(`${restraintText(by)} permits no change of the field "${name}", which the form does not list`, {
    field: name,
    ...(by && { by }),
  })
}

const refused = (message: string, details: Readonly<Record<string, unknown>>): JobRefusal =>
  new JobRefusal('ProtectedDocument', message, details)
