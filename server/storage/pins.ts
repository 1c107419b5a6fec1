// Files in use by path. Their removal waits until they are released.

export class Pins {
  private readonly counts = new Map<string, number>()
  private waiting: { readonly isMeant: (path: string) => boolean; readonly go: () => void }[] = []

  /** Pins a path and returns an idempotent release function. */
  pin(path: string): () => void {
    this.counts.set(path, (this.counts.get(path) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (isHeld) this.release(path)
      isHeld = false
    }
  }

  /**
   * Resolves when no matching path is pinned, or after `timeoutMs`, because a leaked pin must not retain data for
   * ever.
   */
  async released(isMeant: (path: string) => boolean, timeoutMs: number): Promise<void> {
    if (!this.hasAny(isMeant)) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(finishWaiting, timeoutMs)
      const entry = { isMeant, go: finishWaiting }
      const { waiting } = this
      waiting.push(entry)
      function finishWaiting() {
        clearTimeout(timer)
        waiting.splice(waiting.indexOf(entry), 1)
        resolve()
      }
    })
  }

  private release(path: string): void {
    const remaining = (this.counts.get(path) ?? 1) - 1
    if (remaining > 0) this.counts.set(path, remaining)
    else this.counts.delete(path)
    for (const { isMeant, go } of [...this.waiting]) if (!this.hasAny(isMeant)) go()
  }

  isPinned(path: string): boolean {
    return this.counts.has(path)
  }

  private hasAny(isMeant: (path: string) => boolean): boolean {
    for (const path of this.counts.keys()) if (isMeant(path)) return true
    return false
  }
}
