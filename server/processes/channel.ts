// Messages between the first process of a server and the others, over the channel that Node opens for a child process.
// Requests are answered in any order; values keep their types, bytes included.

export type Message =
  | { readonly kind: 'request'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: unknown }
  | { readonly kind: 'notice'; readonly name: string; readonly args: readonly unknown[] }

/** One end of the channel. */
export interface Wire {
  send(message: Message): void
  onMessage(listener: (message: Message) => void): void
  onClose(listener: () => void): void
}

type Handler = (...args: never[]) => unknown

/** The other process ended, or the channel was closed, before it answered. */
export class ChannelClosed extends Error {
  constructor() {
    super('The other process of this server ended before it answered')
    this.name = 'ChannelClosed'
  }
}

export class Channel {
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  private readonly handlers = new Map<string, Handler>()
  private nextId = 1
  private isClosed = false

  constructor(
    private readonly wire: Wire,
    /** Rebuilds errors of the other process by their name. */
    private readonly errorOf: (error: unknown) => unknown,
  ) {
    wire.onMessage((message) => this.receive(message))
    wire.onClose(() => this.close())
  }

  /** Calls a handler of the other process. Rejects with its error, or with `ChannelClosed`. */
  async call<Result>(name: string, ...args: readonly unknown[]): Promise<Result> {
    if (this.isClosed) throw new ChannelClosed()
    const id = this.nextId++
    const answer = new Promise<unknown>((resolve, reject) => this.waiting.set(id, { resolve, reject }))
    this.wire.send({ kind: 'request', id, name, args })
    // The two ends are of one program, so the answer has the type of the handler's result.
    return (await answer) as Result
  }

  /** Calls a handler of the other process without waiting for it. */
  notify(name: string, ...args: readonly unknown[]): void {
    if (!this.isClosed) this.wire.send({ kind: 'notice', name, args })
  }

  handle(name: string, handler: Handler): void {
    this.handlers.set(name, handler)
  }

  private receive(message: Message): void {
    if (message.kind === 'notice') {
      void this.run(message.name, message.args).catch(() => {}) // Nobody waits for a notice.
    } else if (message.kind === 'request') {
      void this.answer(message.id, this.run(message.name, message.args))
    } else {
      const call = this.waiting.get(message.id)
      this.waiting.delete(message.id)
      if (message.kind === 'answer') call?.resolve(message.value)
      else call?.reject(this.errorOf(message.error))
    }
  }

  private async run(name: string, args: readonly unknown[]): Promise<unknown> {
    const handler = this.handlers.get(name)
    if (handler === undefined) throw new Error(`The process does not know ${name}`)
    return handler(...(args as never[]))
  }

  private async answer(id: number, running: Promise<unknown>): Promise<void> {
    try {
      const value = await running
      if (!this.isClosed) this.wire.send({ kind: 'answer', id, value })
    } catch (error) {
      if (!this.isClosed) this.wire.send({ kind: 'failure', id, error: sentError(error) })
    }
  }

  private close(): void {
    this.isClosed = true
    for (const { reject } of this.waiting.values()) reject(new ChannelClosed())
    this.waiting.clear()
  }
}

/** An error as it travels: structured clones lose the members and the class of errors. */
export interface SentError {
  readonly name: string
  readonly message: string
  readonly members: Readonly<Record<string, unknown>>
}

function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), members: {} }
  const members = Object.fromEntries(
    Object.entries(error).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)),
  )
  return { name: error.name, message: error.message, members }
}
