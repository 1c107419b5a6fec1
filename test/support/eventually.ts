/** Polls a condition, and resolves once it is true. Throws if that does not happen in time. */
export async function eventually(isTrue: () => unknown): Promise<void> {
  const end = performance.now() + 90_000
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('It did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
