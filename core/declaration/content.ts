// Reads the bytes of a local source when they are sent, and checks them against the planned digest.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { LocalSource } from '../plugin/declaration.js'
import type { SourceContent } from '../plugin/handler.js'
import type { Disk } from '../ports/disk.js'
import { problem } from '../problems/index.js'
import { withoutByteOrderMark } from './local-sources.js'

/**
 * Reads a local source. Refuses with `source.changed` when a file no longer has the digest that the plan was made from.
 */
export async function contentOf(disk: Disk, source: LocalSource): Promise<SourceContent> {
  const files = await Promise.all(
    source.files.map(async ({ path, sha256, hasByteOrderMark }) => {
      const stored = await disk.read(source.kind === 'folder' ? join(source.path, path) : source.path)
      const bytes = hasByteOrderMark ? withoutByteOrderMark(stored) : stored
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
        throw problem('source.changed', {
          detail: `${source.written}${source.kind === 'folder' ? `/${path}` : ''} has changed since it was planned.`,
        })
      }
      return { path, bytes }
    }),
  )
  return { baseName: source.baseName, files }
}
