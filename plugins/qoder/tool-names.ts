// Built-in tools have snake case names in agents.yaml and Pascal case ones on the wire; other spellings mean the same.

export const builtinTools = ['bash', 'read', 'write', 'edit', 'glob', 'grep', 'web_fetch', 'web_search'] as const

/** `web_fetch` is `WebFetch` on the wire. */
export function toWireName(name: string): string {
  const words = name.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** `WebFetch` is `web_fetch` in agents.yaml. */
export function fromWireName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^a-zA-Z0-9]+/g, '_')
    .toLowerCase()
}
