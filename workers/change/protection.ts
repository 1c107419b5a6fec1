// Refuses changes that the signatures of a document forbid, for every op and undo step: classes of changes above the
// level of a certification, annotations that a certification excludes, and fields that a signature locked.
import type { PDFDocument, PDFObject } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import type { ProtectionClass } from '../contract/ops/op-contract.js'
import { annotationsUnderCertification } from '../contract/signatures/annotation-policy.js'
import { isLockedBy } from '../contract/signatures/field-lock.js'
import { type DocumentProtection, includesLevel, type ProtectionLevel } from '../contract/signatures/protection.js'
import { fieldOfWidget, fullNameOf, isNamed } from '../fields/field-names.js'
import { isWidget } from '../fields/field-tree.js'
import { imageBody, type ObjectImage } from '../objects/object-image.js'
import { entry, hasKey, isDictionary, isMissing, nameOf, objectNumberOf } from '../objects/values.js'

/** Predicates of refusals. */
const permissions: Readonly<Record<ProtectionLevel, string>> = {
  none: 'permit no change',
  lta: 'permit no change but document timestamps',
  fill: 'permit only filling its form and signing',
  annotate: 'permit only annotations, filling its form and signing',
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
    throw refused(`The signatures of the document ${permissions[enforced]}`, { op: type, permitted: enforced })
  }

  /** True if a signature has locked the field of this full name. */
  isLocked(fieldName: string): boolean {
    return (this.protection?.fieldLocks ?? []).some(({ spec }) => isLockedBy(spec, fieldName))
  }

  /** Records whether an object belongs to a locked field. Call it before altering the object: its field may be renamed. */
  touch(reference: PDFObject): void {
    if ((this.protection?.fieldLocks ?? []).length === 0) return
    const number = objectNumberOf(reference)
    if (number === undefined || this.#locked.has(number) || !isDictionary(reference)) return
    const field = fieldOf(reference)
    const name = field && fullNameOf(field)
    if (name !== undefined && this.isLocked(name)) this.#locked.set(number, name)
  }

  /**
   * Throws `ProtectedDocument` if a locked field was altered, or an annotation that a certification excludes. `images`:
   * objects that the change altered; undefined = all locked fields that it touched.
   */
  refuseAltered({ pdf }: { readonly pdf: PDFDocument }, images: readonly ObjectImage[] | undefined): void {
    const altered = images ?? [...this.#locked.keys()].map((number) => ({ number, body: undefined }))
    for (const { number, body } of altered) {
      const field = this.#locked.get(number)
      if (field !== undefined) throw refused(`A signature has locked the field "${field}"`, { field })
      if (this.#excludes && !this.#isAsPromoted(number, body)) refuseExcluded(pdf.newIndirect(number))
    }
  }

  /** Must be called when an inline annotation became an object of its own, which alone is no change. */
  promote(reference: PDFObject): void {
    const number = objectNumberOf(reference)
    if (this.#excludes && number !== undefined) this.#promoted.set(number, imageBody(reference))
  }

  /** True if some subtypes of annotations may not be written. */
  get #excludes(): boolean {
    return this.protection?.enforced === 'annotate'
  }

  #isAsPromoted(number: number, body: Uint8Array | undefined): boolean {
    const before = this.#promoted.get(number)
    return before !== undefined && body !== undefined && Buffer.compare(before, body) === 0
  }
}

function fieldOf(object: PDFObject): PDFObject | undefined {
  if (isWidget(object)) return fieldOfWidget(object)
  const isField = isNamed(object) || !isMissing(entry(object, 'FT'))
  return isField ? object : undefined
}

function refuseExcluded(object: PDFObject): void {
  const subtype = isDictionary(object) && hasKey(object, 'Rect') ? nameOf(entry(object, 'Subtype')) : undefined
  if (subtype === undefined || subtype === 'Widget' || annotationsUnderCertification.has(subtype)) return
  throw refused(`The certification of the document permits no ${subtype} annotation, which can cover its content`, {
    subtype,
  })
}

const refused = (message: string, details: Readonly<Record<string, unknown>>): JobRefusal =>
  new JobRefusal('ProtectedDocument', message, details)
