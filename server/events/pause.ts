// Abortable delay.

export function pauseFor(
  ms: number,
  signal: AbortSignal,
  onStart: (end: () => void) => void = () => {},
): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    onStart(end)
    function end() {
      clearTimeout(timer)
      // A signal is used for many pauses, so the listener is removed.
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}
