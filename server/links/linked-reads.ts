// The reads that a link can name: those of a document that answer with bytes, such as a picture or the file.
import type { FindRead, Operation } from '../operation/operation.js'

export const canHaveLink = ({ plane, method, answer, isEndless = false }: Operation): boolean =>
  plane === 'document' && method === 'GET' && Array.isArray(answer) && !isEndless

/** Returns what finds the reads among routes, whose paths are in fastify's notation. */
export function readFinder(routes: readonly { readonly operation: Operation; readonly path: string }[]): FindRead {
  const patterns = routes
    .filter(({ operation }) => canHaveLink(operation))
    .map(({ operation, path }) => ({ operation, pattern: patternOf(path) }))
  return (path) => {
    for (const { operation, pattern } of patterns) {
      const { docId, layerName } = pattern.exec(path)?.groups ?? {}
      if (docId !== undefined) return { operation, docId, layerName }
    }
    return undefined
  }
}

/** A segment of the path has no `@`, because the versions of a read begin with one. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/:(\w+)/g, (_, name) => groupOf(name))}$`)

const groupOf = (name: string): string => (name === 'versions' ? '[^/]+' : `(?<${name}>[^/@]+)`)
