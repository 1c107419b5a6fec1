// Refuses what the signatures of a document forbid, for every op and undo step, whoever sent it: kinds of changes above
// the level of a certification, annotations that a certification excludes, and fields that a signature locked.
import type { PDFDocument, PDFObject } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import type { ProtectionClass } from '../contract/ops/op-contract.js'
import { annotationsUnderCertification } from '../contract/signatures/annotation-policy.js'
import { isLockedBy } from '../contract/signatures/field-lock.js'
import type { DocumentProtection, ProtectionLevel } from '../contract/signatures/protection.js'
import { fieldOfWidget, fullNameOf, isNamed } from '../fields/field-names.js'
import { isWidget } from '../fields/field-tree.js'
import type { ObjectImage } from '../objects/object-image.js'
import { entry, hasKey, isDictionary, isMissing, nameOf, objectNumberOf } from '../objects/values.js'

const ranks: Readonly<Record<ProtectionLevel, number>> = { none: 0, lta: 1, fill: 2, annotate: 3 }

const permittedAt: Readonly<Record<ProtectionLevel, string>> = {
  none: 'permit no change',
  lta: 'permit no change but document timestamps',
  fill: 'permit only filling its form and signing',
  annotate: 'permit only annotations, filling its form and signing',
}

export class Protection {
  /** Full names of locked fields at the time the change first touched them, by object number of field or widget. */
  readonly #locked = new Map<number, string>()

  /** Null = nothing is protected. */
  constructor(private readonly protection: DocumentProtection | null) {}

  /** True if the document is signed, certified or not. */
  get isSigned(): boolean {
    return (this.protection?.judged ?? null) !== null
  }

  /** Throws `ProtectedDocument` if the document permits no change of this class. */
  refuseClass(type: string, protectionClass: ProtectionClass): void {
    const enforced = this.protection?.enforced ?? null
    if (enforced === null) return
    if (protectionClass !== 'content' && ranks[protectionClass] <= ranks[enforced]) return
    throw refused(`The signatures of the document ${permittedAt[enforced]}`, { op: type, permitted: enforced })
  }

  /** True if a signature has locked the field of this full name. */
  isLocked(fieldName: string): boolean {
    return (this.protection?.fieldLocks ?? []).some(({ spec }) => isLockedBy(spec, fieldName))
  }

  /** Must be called before an indirect object is altered, because the change may rename its field. */
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
   * objects that the change altered; undefined = all that it touched.
   */
  refuseAltered({ pdf }: { readonly pdf: PDFDocument }, images: readonly ObjectImage[] | undefined): void {
    const numbers = images?.map(({ number }) => number) ?? [...this.#locked.keys()]
    for (const number of numbers) {
      const field = this.#locked.get(number)
      if (field !== undefined) throw refused(`A signature has locked the field "${field}"`, { field })
      if (this.protection?.enforced === 'annotate') refuseExcluded(pdf.newIndirect(number))
    }
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
