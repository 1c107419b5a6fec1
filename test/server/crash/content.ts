// What the documents of the crash test hold: more than one chunk of a stream would be too slow for every call of it.

export const contentOf = (id: string): string => `%PDF-1.7 ${id} ${'x'.repeat(20_000)}`
