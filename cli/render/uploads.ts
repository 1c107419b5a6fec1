// Lists the files of an upload, because a digest does not show what leaves the machine.
import type { Change } from '../../core/plan/plan.js'
import { counted, visible } from './text.js'

const shownMax = 20

export interface Upload {
  /** Path as agents.yaml writes it. */
  readonly source: string
  readonly sizeBytes: number
  /** Paths of the files in the folder, relative to it. */
  readonly files: readonly string[]
}

/** Returns the folders that a change uploads; none if their content is unchanged. */
export function uploadsOf({ resource, leaves }: Change): readonly Upload[] {
  const sent = new Set(leaves.flatMap(({ after }) => (after.type === 'value' ? [after.value] : [])))
  return [...(resource?.declaration.sources.values() ?? [])].flatMap(({ kind, written, sha256, sizeBytes, files }) =>
    kind === 'folder' && sent.has(sha256) ? [{ source: written, sizeBytes, files: files.map(({ path }) => path) }] : [],
  )
}

export function renderUploads(change: Change): readonly string[] {
  return uploadsOf(change).map(({ source, sizeBytes, files }) => {
    const more = files.length > shownMax ? `, and ${files.length - shownMax} more` : ''
    const size = `${counted(files.length, 'file')}, ${counted(sizeBytes, 'byte')}`
    return visible(`uploads from ${source} (${size}): ${files.slice(0, shownMax).join(', ')}${more}`)
  })
}
