// Returns the path of a memory for an API: with one leading slash, which is optional in agents.yaml and absent in the
// keys of entries.
export function memoryPath(key: string): string {
  return `/${memoryKey(key)}`
}

export function memoryKey(path: string): string {
  return path.replace(/^\/+/, '')
}
