// Paths of memories begin with one slash here; agents.yaml may leave it out.
export function memoryPath(key: string): string {
  return `/${key.replace(/^\/+/, '')}`
}
