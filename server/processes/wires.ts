// The channel of Node between a process and its child, as a wire of messages.
import type { Worker } from 'node:cluster'
import type { Message, Wire } from './channel.js'

export const wireToChild = (child: Worker): Wire => ({
  send: (message) => void child.send(message, undefined, ignoreClosed),
  onMessage: (listener) => child.on('message', listener),
  onClose: (listener) => child.on('exit', listener),
})

/** Wire of a child to the process that started it. */
export function wireToParent(): Wire {
  if (process.send === undefined) throw new Error('This process was not started by a server')
  return {
    send: (message) => void process.send?.(message, undefined, undefined, ignoreClosed),
    onMessage: (listener) => process.on('message', (message: Message) => listener(message)),
    onClose: (listener) => process.on('disconnect', listener),
  }
}

/** The end of a channel is reported by its close. */
const ignoreClosed = () => {}
