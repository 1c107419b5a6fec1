// Paths of memories begin with one slash in every API; agents.yaml may leave it out, and keys of ours have none.
export function memoryPath(key: string): string {
  return `/${memoryKey(key)}`
}

export function memoryKey(path: string): string {
  return path.replace(/^\/+/, '')
}
