// Ctrl-C: once asks the work to come to a clean end, twice ends it at once. A third time ends the process.

export interface Interruption {
  /** Aborts at the first signal. */
  readonly gentle: AbortSignal
  /** Aborts at the second. */
  readonly hard: AbortSignal
  /** Gives the signals back to the process. */
  end(): void
}

const signals = ['SIGINT', 'SIGTERM'] as const

/** `tell` is called at the first and at the second signal. */
export function listenForInterruption(tell: (which: 'first' | 'second') => void): Interruption {
  const gentle = new AbortController()
  const hard = new AbortController()
  const take = () => {
    if (gentle.signal.aborted) {
      end()
      tell('second')
      hard.abort()
    } else {
      tell('first')
      gentle.abort()
    }
  }
  const end = () => {
    for (const signal of signals) process.off(signal, take)
  }
  for (const signal of signals) process.on(signal, take)
  return { gentle: gentle.signal, hard: hard.signal, end }
}
