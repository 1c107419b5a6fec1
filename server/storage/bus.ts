// Port of the message bus: notifies listeners of a topic. A lost message causes a delay only, because listeners also
// poll.

export interface Bus {
  publish(topic: string): void
  /** Returns a function that ends the subscription. */
  subscribe(topic: string, listener: () => void): () => void
  /** Sends a short text to the listeners of the other processes. It is lost while they cannot be reached. */
  announce(topic: string, text: string): void
  /** Calls the listener with the announcements of other processes. Returns a function that ends the subscription. */
  onAnnouncement(topic: string, listener: (text: string) => void): () => void
  close(): Promise<void>
}
