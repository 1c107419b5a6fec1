// Shows how much of a file was transferred, on a line of the terminal that is drawn again and again.
import type { Output } from '../render/output.js'
import { sized } from '../render/text.js'

export class TransferLine {
  #bytes = 0
  #shown = ''

  constructor(
    private readonly output: Pick<Output, 'live'>,
    private readonly name: string,
    /** Total size in bytes; undefined if unknown. */
    private readonly totalBytes: number | undefined,
  ) {}

  async *through(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of bytes) {
        this.#bytes += chunk.length
        this.#show()
        yield chunk
      }
    } finally {
      this.output.live('')
    }
  }

  /** Redraws only if the text changed, about once per megabyte. */
  #show(): void {
    const total = this.totalBytes === undefined ? '' : ` of ${sized(this.totalBytes)}`
    const text = `${this.name}: ${sized(this.#bytes)}${total}`
    if (text === this.#shown) return
    this.#shown = text
    this.output.live(text)
  }
}
