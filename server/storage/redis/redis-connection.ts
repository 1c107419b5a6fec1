// Connections to the Redis that processes coordinate through: one for commands, one for messages. Losing it is not an
// error of the server: whoever uses it goes on without the other processes, or refuses.
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { limits } from '../../limits.js'
import { WatchedClient } from './watched-client.js'

export type RedisEvent = 'redis-up' | 'redis-lost' | 'redis-bus-up' | 'redis-bus-lost' | 'lease-lost' | 'lease-unshared'

/** `detail`: reason, without addresses and passwords. */
export type OnRedisEvent = (event: RedisEvent, detail?: string) => void

export class RedisConnection {
  /** Distinguishes this process from others. */
  readonly id = randomUUID()
  readonly commands: WatchedClient
  private readonly messages: WatchedClient
  private readonly listeners = new Map<string, (message: string) => void>()
  private readonly onUps = new Set<() => void>()
  private readonly onMessagesUps = new Set<() => void>()

  private constructor(
    /** Client for libraries that send commands of their own; callers check `commands.isUp` first. */
    readonly client: Redis,
    messages: Redis,
    readonly onEvent: OnRedisEvent,
  ) {
    this.commands = new WatchedClient(client, {
      onUp: () => {
        onEvent('redis-up')
        for (const listener of this.onUps) listener()
      },
      onLost: (reason) => onEvent('redis-lost', reason),
    })
    messages.on('message', (channel: string, message: string) => this.listeners.get(channel)?.(message))
    this.messages = new WatchedClient(messages, {
      onConnected: (connected) =>
        this.listeners.size === 0 ? Promise.resolve() : connected.subscribe(...this.listeners.keys()),
      onUp: () => {
        onEvent('redis-bus-up')
        for (const listener of this.onMessagesUps) listener()
      },
      onLost: (reason) => onEvent('redis-bus-lost', reason),
    })
  }

  /**
   * Opens the connections. Resolves when they are up, or when they are not up in time: a server starts without Redis as
   * it goes on without it. Throws for an address that is none.
   */
  static async open(address: string, onEvent: OnRedisEvent = () => {}): Promise<RedisConnection> {
    const { Redis } = await import('ioredis')
    const options = {
      enableOfflineQueue: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      connectTimeout: limits.redisConnectMs,
      retryStrategy: (times: number) =>
        Math.min(50 * 2 ** Math.min(times, 10), limits.redisRetryMaxMs) * (0.5 + Math.random()),
      // A replica that was the primary before a failover refuses writes: connecting again finds the new primary.
      reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
      disableClientInfo: true,
    }
    let connection: RedisConnection
    try {
      connection = new RedisConnection(new Redis(address, options), new Redis(address, options), onEvent)
    } catch {
      // The cause may quote the address with its password.
      throw new Error('The address of Redis is not a valid URL')
    }
    await Promise.all([connection.commands.first(), connection.messages.first()])
    return connection
  }

  /** True while messages of other processes arrive. */
  get isHearing(): boolean {
    return this.messages.isUp
  }

  /** Number of the database, which keys are separated by and channels are not. */
  get database(): number {
    return this.client.options.db ?? 0
  }

  /** Subscribes to a channel, until the connection is closed; one listener per channel. */
  subscribe(channel: string, listener: (message: string) => void): void {
    this.listeners.set(channel, listener)
    // A connection that is lost meanwhile subscribes when it is up again.
    void this.messages.run((client) => client.subscribe(channel)).catch(() => {})
  }

  /** Calls the listener whenever commands are answered again. */
  onUp(listener: () => void): void {
    this.onUps.add(listener)
  }

  /** Calls the listener whenever messages arrive again: some may have been missed. */
  onMessagesUp(listener: () => void): void {
    this.onMessagesUps.add(listener)
  }

  close(): void {
    this.commands.close()
    this.messages.close()
  }
}
