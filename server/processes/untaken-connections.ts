// Connections that the first process has handed to another one, which has not taken them yet. The cluster of Node waits for
// its answer before it closes or hands on such a connection, and so for ever if the other process ends before.
import cluster, { type Worker } from 'node:cluster'
import { limits } from '../limits.js'

interface Handle {
  close(): void
}

/** Message of Node's cluster. */
interface ClusterMessage {
  readonly cmd?: string
  readonly act?: string
  readonly seq?: number
  /** `seq` of the message that this one answers. */
  readonly ack?: number
}

/** Hands the connections that the process has not taken when it ends to others; without others they are closed. */
export function handOnUntaken({ process: child }: Worker): void {
  const untaken = new Map<number, Handle>()
  const send: unknown = child.send.bind(child)
  Object.assign(child, {
    send(message: ClusterMessage, ...rest: readonly unknown[]): unknown {
      const [handle] = rest
      if (message.act === 'newconn' && message.seq !== undefined && isHandle(handle)) untaken.set(message.seq, handle)
      return typeof send === 'function' ? Reflect.apply(send, child, [message, ...rest]) : false
    },
  })
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack)
  })
  child.once('exit', () => {
    // A process that has taken all would be handed further ones.
    if (untaken.size === 0) return closeChannel(child)
    // Its last answers may not have been read yet: a connection that it took may not go to another one.
    setTimeout(() => closeChannel(child), limits.processLastAnswersMs)
    setTimeout(() => {
      const others = Object.values(cluster.workers ?? {}).filter((other) => other?.process !== child)
      for (const [ack, handle] of untaken) {
        if (others.length === 0) handle.close()
        else child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
      }
    }, 2 * limits.processLastAnswersMs)
  })
}

/** Ends a channel, to which the cluster hands connections until then; it waits for a last message. */
function closeChannel(child: Worker['process']): void {
  if (child.connected) child.disconnect()
  child.emit('internalMessage', {})
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'
}
