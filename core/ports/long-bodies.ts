// Reads response bodies with a limit on the memory of all bodies that are read at the same time.
import type { Readable } from 'node:stream'

/** Bodies up to this size are read concurrently, longer ones one at a time. Usual lists are shorter. */
const shortBytes = 512 * 1024

export class LongBodies {
  /** Waiting bodies above that size. The first is being read, the others are paused. */
  readonly #queue: Readable[] = []

  /**
   * Reads a body as bytes. Returns undefined as soon as they exceed `bytesMax`, counted after decompression; the rest
   * is not read. `onRead` is told the bytes read so far.
   */
  read(
    body: Readable,
    bytesMax: number,
    onRead: (readBytes: number) => void = () => {},
  ): Promise<Uint8Array | undefined> {
    return new Promise((resolve, reject) => {
      let chunks: Uint8Array[] = []
      let sizeBytes = 0
      body.on('data', (chunk: Uint8Array) => {
        if (sizeBytes > bytesMax) return
        sizeBytes += chunk.length
        onRead(sizeBytes)
        chunks.push(chunk)
        if (sizeBytes > bytesMax) {
          chunks = []
          resolve(undefined)
          body.destroy() // Closes the connection.
        } else if (sizeBytes > shortBytes) this.#wait(body)
      })
      body.once('end', () => resolve(Buffer.concat(chunks)))
      body.once('error', reject)
      body.once('close', () => {
        this.#leave(body)
        reject(new Error('the connection was closed before the end of the answer'))
      })
    })
  }

  #wait(body: Readable): void {
    if (!this.#queue.includes(body)) this.#queue.push(body)
    if (this.#queue[0] !== body) body.pause()
  }

  #leave(body: Readable): void {
    const place = this.#queue.indexOf(body)
    if (place < 0) return
    this.#queue.splice(place, 1)
    if (place === 0) this.#queue[0]?.resume()
  }
}
