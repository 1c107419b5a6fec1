// Looks up in a table by a key that came out of a file: `constructor` is not in it.

export function lookUp<Value>(table: Readonly<Record<string, Value>>, key: string | undefined): Value | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}
