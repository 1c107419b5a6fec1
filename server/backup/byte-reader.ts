// Reads an exact number of bytes at a time from a stream of chunks.

export class ByteReader {
  private buffered: Uint8Array = new Uint8Array(0)
  private readonly chunks: AsyncIterator<Uint8Array>

  /** `cutOff` creates the error for a stream that ends inside a piece. */
  constructor(
    stream: AsyncIterable<Uint8Array>,
    private readonly cutOff: () => Error,
  ) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** Returns the next bytes; undefined if the stream ended before them. For small pieces; larger ones use `pass`. */
  async take(bytes: number): Promise<Uint8Array | undefined> {
    const parts: Uint8Array[] = []
    for await (const part of this.pass(bytes, { mayEnd: true })) parts.push(part)
    if (parts.length === 0 && bytes > 0) return undefined
    return Buffer.concat(parts)
  }

  /** Ends reading and discards bytes that have not arrived. */
  async close(): Promise<void> {
    await this.chunks.return?.()
  }

  /** Yields the bytes in pieces, as they arrive. */
  async *pass(bytes: number, { mayEnd = false } = {}): AsyncIterable<Uint8Array> {
    let remaining = bytes
    while (remaining > 0) {
      if (this.buffered.length === 0) {
        const next = await this.chunks.next()
        if (next.done === true) {
          if (mayEnd && remaining === bytes) return
          throw this.cutOff()
        }
        this.buffered = next.value
        continue
      }
      const part = this.buffered.subarray(0, remaining)
      this.buffered = this.buffered.subarray(part.length)
      remaining -= part.length
      yield part
    }
  }
}
