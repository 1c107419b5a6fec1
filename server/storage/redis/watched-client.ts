// A client of Redis that is known to answer: it is tried every second, and a connection that hangs is replaced. While it
// does not answer, commands are refused at once, so that a hanging Redis delays one request and not every one.
import type { Redis } from 'ioredis'
import { limits } from '../../limits.js'

export class RedisLost extends Error {
  constructor(reason: string) {
    super(`Redis does not answer: ${reason}`)
    this.name = 'RedisLost'
  }
}

export interface WatchedClientOptions {
  /** Prepares the connection, such as by subscribing; called for each new one before it counts as up. */
  readonly onConnected?: (client: Redis) => Promise<unknown>
  readonly onUp: () => void
  /** `reason`: message without addresses and passwords. */
  readonly onLost: (reason: string) => void
}

export class WatchedClient {
  private state: 'connecting' | 'up' | 'lost' | 'closed' = 'connecting'
  private lastError = 'no connection'
  private readonly timer: NodeJS.Timeout
  private unreadyChecks = 0

  constructor(
    private readonly client: Redis,
    private readonly options: WatchedClientOptions,
  ) {
    // Errors of ioredis carry the command, which may be AUTH with its password: only messages go on from here.
    client.on('error', (error: Error) => {
      this.lastError = error.message
    })
    client.on('ready', () => void this.prepare())
    client.on('close', () => this.lose(this.lastError))
    this.timer = setInterval(() => void this.check(), limits.redisCheckMs).unref()
  }

  get isUp(): boolean {
    return this.state === 'up'
  }

  /**
   * Runs a command. Throws `RedisLost` if there is no answer in time; `late` is called if the answer comes after all.
   */
  async run<Result>(command: (client: Redis) => Promise<Result>, late?: (result: Result) => void): Promise<Result> {
    if (!this.isUp) throw new RedisLost(this.lastError)
    return this.send(command, late)
  }

  /** Resolves when the first connection is up, or has failed. */
  async first(): Promise<void> {
    for (let waitedMs = 0; this.state === 'connecting' && waitedMs < limits.redisTimeoutMs; waitedMs += 10) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    if (this.state === 'connecting') this.lose(this.lastError)
  }

  close(): void {
    this.state = 'closed'
    clearInterval(this.timer)
    this.client.disconnect()
  }

  private async send<Result>(command: (client: Redis) => Promise<Result>, late?: (result: Result) => void) {
    let timer: NodeJS.Timeout | undefined
    let isLate = false
    const answer = command(this.client)
    if (late) answer.then((result) => isLate && late(result)).catch(() => {}) // Reported to the caller below.
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true
        this.lose('no answer in time')
        reject(new RedisLost('no answer in time'))
      }, limits.redisTimeoutMs)
    })
    try {
      return await Promise.race([answer, timeout])
    } catch (error) {
      if (error instanceof RedisLost) throw error
      throw new RedisLost(error instanceof Error ? error.message : 'unknown failure')
    } finally {
      clearTimeout(timer)
    }
  }

  private async prepare(): Promise<void> {
    try {
      await this.send(async (client) => this.options.onConnected?.(client))
    } catch (error) {
      this.lose(error instanceof Error ? error.message : 'unknown failure')
      this.client.disconnect(true)
      return
    }
    if (this.state === 'up' || this.state === 'closed') return
    this.state = 'up'
    this.lastError = 'the connection was closed'
    this.options.onUp()
  }

  private lose(reason: string): void {
    if (this.state === 'lost' || this.state === 'closed') return
    this.state = 'lost'
    this.options.onLost(reason)
  }

  /** A connection that hangs, or whose greeting does, is replaced. */
  private async check(): Promise<void> {
    if (this.client.status === 'ready') {
      this.unreadyChecks = 0
      const isAnswering = await this.send((client) => client.ping()).then(
        () => true,
        () => false,
      )
      if (this.state === 'closed') return
      if (isAnswering) return this.state === 'lost' ? this.prepare() : undefined
      this.client.disconnect(true)
    } else if (this.client.status === 'connect' && ++this.unreadyChecks >= limits.redisGreetingChecksMax) {
      this.unreadyChecks = 0
      this.client.disconnect(true)
    }
  }
}
