// Cache of references between the objects of versions that this thread analysed lately. They are the part of an
// analysis that grows with the document; the edits of a layer do not change those of its version (the row "analysis
// after one more annotation" of `npm run bench`).
import { statSync } from 'node:fs'
import type { PdfSource } from '../messages/task.js'

import type { GraphCache } from '../strict-reader/open-strict.js'
import type { ReferenceGraph } from '../strict-reader/references/reference-graph.js'
import { WeightedCache } from '../strict-reader/weighted-cache.js'

const cachedBytesMax = 64 * 1024 * 1024
const graphs = new WeightedCache<string, ReferenceGraph>(cachedBytesMax)

/** Returns the reference graphs of the revisions of the file itself. The edits of a layer behind it are read anew. */
export function graphsOf({ path }: Pick<PdfSource, 'path'>): GraphCache {
  const { ino, mtimeMs, size } = statSync(path)
  const key = (end: number) => `${path} ${ino} ${mtimeMs} ${size} ${end}`
  return {
    get: (end) => (end <= size ? graphs.get(key(end)) : undefined),
    set: (end, graph) => {
      if (end <= size) graphs.set(key(end), graph, graph.sizeBytes)
    },
  }
}
