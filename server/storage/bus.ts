// Port of the message bus: notifies listeners of a topic. A lost message causes a delay only, because listeners also
// poll.

export interface Bus {
  publish(topic: string): void
  /** Returns a function that ends the subscription. */
  subscribe(topic: string, listener: () => void): () => void
  close(): Promise<void>
}
