// Reverse references: replies by the annotation they reply to, annotations by the objects they are drawn with.

export class UsedBy {
  readonly #users = new Map<number, Set<number>>()
  readonly #used = new Map<number, number>()

  /** Records a use; undefined for `used` means none from now on. */
  put(user: number, used: number | undefined): void {
    const before = this.#used.get(user)
    if (before === used) return
    if (before !== undefined) this.#users.get(before)?.delete(user)
    if (used === undefined) {
      this.#used.delete(user)
      return
    }
    this.#used.set(user, used)
    const users = this.#users.get(used)
    if (users === undefined) this.#users.set(used, new Set([user]))
    else users.add(user)
  }

  of(used: number): ReadonlySet<number> {
    return this.#users.get(used) ?? nobody
  }
}

const nobody: ReadonlySet<number> = new Set()
