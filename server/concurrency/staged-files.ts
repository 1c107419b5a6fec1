// Bytes of files that running requests have sent, by whom: they lie on the disk until the requests end.
export class StagedFiles {
  private readonly staged = new Map<string, number>()

  /** Returns the sum of all that run for the owner. */
  add(owner: string, bytes: number): number {
    const sum = (this.staged.get(owner) ?? 0) + bytes
    if (sum > 0) this.staged.set(owner, sum)
    else this.staged.delete(owner)
    return sum
  }
}
