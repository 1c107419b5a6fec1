// Resolves XML names by namespace instead of prefix, which every producer chooses freely.
import type { XmlElement } from './xml.js'

/** Namespaces of a document's properties. */
export const xmpNamespaces = {
  dc: 'http://purl.org/dc/elements/1.1/',
  pdf: 'http://ns.adobe.com/pdf/1.3/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
} as const

/** Prefixes that an element declares, and its enclosing element. */
export interface Namespaces {
  readonly declared: ReadonlyMap<string, string>
  readonly outer?: Namespaces
}

/** Namespaces outside of the root element. */
export const outside: Namespaces = { declared: new Map() }

export function namespacesOf({ attributes }: XmlElement, outer: Namespaces): Namespaces {
  const declared = [...attributes].filter(([name]) => name.startsWith('xmlns:'))
  if (declared.length === 0) return outer
  return { declared: new Map(declared.map(([name, uri]) => [name.slice('xmlns:'.length), uri])), outer }
}

export function qualified(name: string, namespaces: Namespaces): string {
  const colon = name.indexOf(':')
  const namespace = colon === -1 ? undefined : namespaceOf(name.slice(0, colon), namespaces)
  return namespace === undefined ? name : namespace + name.slice(colon + 1)
}

function namespaceOf(prefix: string, innermost: Namespaces): string | undefined {
  for (let scope: Namespaces | undefined = innermost; scope !== undefined; scope = scope.outer) {
    const uri = scope.declared.get(prefix)
    if (uri !== undefined) return uri
  }
  return undefined
}
