// Converts names of built-in tools between snake case in agents.yaml and Pascal case on the wire. Other spellings of a
// name are equivalent to it.

export const builtinTools = ['bash', 'read', 'write', 'edit', 'glob', 'grep', 'web_fetch', 'web_search'] as const

/** Returns the wire name: `WebFetch` for `web_fetch`. */
export function toWireName(name: string): string {
  const words = name.split(/[^a-zA-Z0-9]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** Returns the name in agents.yaml: `web_fetch` for `WebFetch`. */
export function fromWireName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^a-zA-Z0-9]+/g, '_')
    .toLowerCase()
}
