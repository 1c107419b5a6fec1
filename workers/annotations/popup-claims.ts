// Determines which popup belongs to which annotation of a page while their references change, with the same result as
// reading the page again.
import type { PDFObject } from 'mupdf'
import { objectNumberOf } from '../objects/values.js'
import { type PopupClaim, popupClaim } from './reading/page-annotations.js'
import { PopupPairs } from './reading/popup-pairs.js'
import { UsedBy } from './used-by.js'

interface Claim {
  readonly isPopup: boolean
  readonly other: number
}

interface Listing {
  readonly order: readonly number[]
  /** Returns undefined if the object is no annotation of the page. */
  numbered(number: number): object | undefined
}

/** Maximum number of annotations that refer to each other, directly or indirectly; two in a valid file. */
const circleMax = 64

export class PopupClaims {
  readonly #claims = new Map<number, Claim>()
  readonly #claimed = new UsedBy()
  readonly #pairs = new PopupPairs<number>()

  constructor(private readonly page: Listing) {}

  popupOf(number: number): number | undefined {
    return this.#pairs.popupOf(number)
  }

  parentOf(number: number): number | undefined {
    return this.#pairs.parentOf(number)
  }

  /** Adds an annotation; called while the page is read, bottom first. */
  read(number: number, object: PDFObject): void {
    this.#note(number, claimOf(popupClaim(object)))
    this.#join(number)
  }

  /**
   * Updates an annotation whose references changed, that was added, or that was removed (`object` undefined). Returns
   * false if too many refer to each other, so that the page must be read again.
   */
  change(number: number, object: PDFObject | undefined): boolean {
    const circle = new Set([number])
    const isBefore = this.#complete(circle)
    this.#note(number, object && claimOf(popupClaim(object)))
    if (!isBefore || !this.#complete(circle)) return false
    for (const one of circle) {
      const popup = this.#pairs.popupOf(one)
      if (popup !== undefined) this.#pairs.part(one, popup)
    }
    const here = [...circle].map((one) => ({ one, place: this.page.order.indexOf(one) }))
    for (const { one } of here.toSorted((a, b) => a.place - b.place)) this.#join(one)
    return true
  }

  #note(number: number, claim: Claim | undefined): void {
    if (claim === undefined) this.#claims.delete(number)
    else this.#claims.set(number, claim)
    this.#claimed.put(number, claim?.other)
  }

  #join(number: number): void {
    const claim = this.#claims.get(number)
    if (claim === undefined || this.page.numbered(claim.other) === undefined) return
    if (claim.isPopup) this.#pairs.join(claim.other, number)
    else this.#pairs.join(number, claim.other)
  }

  /**
   * Adds all annotations that refer to one in the circle or that one in it refers to. A set iterates over members
   * that are added meanwhile.
   */
  #complete(circle: Set<number>): boolean {
    for (const one of circle) {
      const claim = this.#claims.get(one)
      if (claim !== undefined) circle.add(claim.other)
      for (const other of this.#claimed.of(one)) circle.add(other)
      if (circle.size > circleMax) return false
    }
    return true
  }
}

/** Returns the claim; undefined if it names nothing with an object number. */
function claimOf(claim: PopupClaim | undefined): Claim | undefined {
  const other = claim === undefined ? undefined : objectNumberOf(claim.other)
  return claim === undefined || other === undefined ? undefined : { isPopup: claim.isPopup, other }
}
