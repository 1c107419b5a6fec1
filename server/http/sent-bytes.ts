// Counts the bytes of a socket that the operating system took over. `bytesWritten` counts what still waits in the process
// as well, and a large answer is one write that says nothing until all of it is gone; only the handle knows how far it is.
import type { Socket } from 'node:net'

export function sentBytes(socket: Socket): number {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined
  const { bytesWritten, writeQueueSize }: { readonly bytesWritten?: unknown; readonly writeQueueSize?: unknown } =
    Object(handle)
  if (typeof bytesWritten === 'number' && typeof writeQueueSize === 'number') return bytesWritten - writeQueueSize
  return socket.bytesWritten - socket.writableLength
}
