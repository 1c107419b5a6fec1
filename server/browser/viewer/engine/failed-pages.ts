// Pages whose picture the server did not draw, and why.

export class FailedPages {
  readonly #reasons = new Map<number, string>()
  readonly #listeners = new Set<() => void>()

  /** Returns why the page has no picture; undefined if it has one, or none was asked for. */
  reasonOf(pageIndex: number): string | undefined {
    return this.#reasons.get(pageIndex)
  }

  set(pageIndex: number, reason: string | undefined): void {
    if (this.#reasons.get(pageIndex) === reason) return
    if (reason === undefined) this.#reasons.delete(pageIndex)
    else this.#reasons.set(pageIndex, reason)
    for (const listener of this.#listeners) listener()
  }

  /** Returns a function that ends the calls. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
