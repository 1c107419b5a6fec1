// Counts the bytes of a socket that were handed to the operating system. `bytesWritten` includes bytes still queued in
// the process, and a large response is a single write; only the handle reports its progress.
import type { Socket } from 'node:net'

export function sentBytes(socket: Socket): number {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined
  const { bytesWritten, writeQueueSize }: { readonly bytesWritten?: unknown; readonly writeQueueSize?: unknown } =
    Object(handle)
  if (typeof bytesWritten === 'number' && typeof writeQueueSize === 'number') return bytesWritten - writeQueueSize
  return socket.bytesWritten - socket.writableLength
}
