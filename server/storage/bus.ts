// Port: wakes whoever waits for news of a topic. A lost message costs seconds, never correctness: listeners also poll.

export interface Bus {
  publish(topic: string): void
  /** Answers the function that ends it. */
  subscribe(topic: string, listener: () => void): () => void
  close(): Promise<void>
}
