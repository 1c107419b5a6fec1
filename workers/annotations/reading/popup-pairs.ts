// Pairs popups and annotations. Either side may name the other; of contradicting references the first one counts.

/** Pairs of popups and annotations. `Name`: type of the identifiers of annotations. */
export class PopupPairs<Name> {
  readonly #popups = new Map<Name, Name>()
  readonly #parents = new Map<Name, Name>()

  join(parent: Name | undefined, popup: Name | undefined): void {
    if (parent === undefined || popup === undefined || this.#popups.has(parent) || this.#parents.has(popup)) return
    this.#popups.set(parent, popup)
    this.#parents.set(popup, parent)
  }

  part(parent: Name, popup: Name): void {
    this.#popups.delete(parent)
    this.#parents.delete(popup)
  }

  popupOf(annotation: Name): Name | undefined {
    return this.#popups.get(annotation)
  }

  parentOf(popup: Name): Name | undefined {
    return this.#parents.get(popup)
  }
}
