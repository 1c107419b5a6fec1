// Returns the path of a memory for an API, with one leading slash, which agents.yaml may omit and keys do not have.
export function memoryPath(key: string): string {
  return `/${memoryKey(key)}`
}

export function memoryKey(path: string): string {
  return path.replace(/^\/+/, '')
}
