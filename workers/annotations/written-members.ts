// Members of an annotation by name, as a write gives them.

export type Members = Readonly<Record<string, unknown>>
