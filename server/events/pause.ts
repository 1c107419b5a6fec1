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
      // One signal sees many pauses.
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
}
