// For objects whose unknown members are refused: a misspelt one must not silently do something else.

export const strict = { additionalProperties: false } as const
