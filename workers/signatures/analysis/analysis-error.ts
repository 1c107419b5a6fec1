// Error of a request that names a revision or signature that the file does not have.

export class NoSuchRevision extends Error {
  constructor(
    message: string,
    /**
     * Fault of the request. `absent`: no signature or revision has this number; `order`: the end is before the start.
     */
    readonly reason: 'absent' | 'order',
  ) {
    super(message)
    this.name = 'NoSuchRevision'
  }
}
