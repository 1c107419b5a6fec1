// Looks up a key from a file in a table; inherited members such as `constructor` are not found.

export function lookUp<Value>(table: Readonly<Record<string, Value>>, key: string | undefined): Value | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key] : undefined
}
