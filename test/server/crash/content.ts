// Contents of the documents of the crash test: a single chunk, because the test is repeated for each call.

export const contentOf = (id: string): string => `%PDF-1.7 ${id} ${'x'.repeat(20_000)}`
