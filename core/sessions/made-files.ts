// Names under which the files of a session may be written: an agent chose them, so they may be anything.
import type { Diagnostic } from '../diagnostic.js'
import { keyOf, namesOf } from '../plan/downloaded.js'
import { ContentRefused } from '../plugin/content.js'
import type { MadeFile } from '../plugin/sessions.js'
import { diagnostic } from '../problems/index.js'

export interface WritableFiles {
  /** Files whose names are those of files in one folder, each name once. */
  readonly files: readonly MadeFile[]
  readonly refused: readonly Diagnostic[]
}

/** Leaves out files whose names lead elsewhere, and those that a newer one of the same name has replaced. */
export function writableFiles(newestFirst: readonly MadeFile[], session: string): WritableFiles {
  const byKey = new Map<string, MadeFile>()
  const refused: Diagnostic[] = []
  for (const file of newestFirst) {
    const reason = refusalOf(file.name)
    const key = keyOf([file.name])
    if (reason !== undefined) refused.push(refusedFile(file, session, reason))
    else if (!byKey.has(key)) byKey.set(key, file)
  }
  return { files: [...byKey.values()], refused }
}

/** Converts the refusal of a file while it was downloaded; rethrows anything else. */
export function refusedDownload(file: MadeFile, session: string, error: unknown): Diagnostic {
  if (error instanceof ContentRefused) return refusedFile(file, session, error.reason)
  throw error
}

export function existingFile({ id }: MadeFile, session: string, path: string): Diagnostic {
  return diagnostic('session.file-exists', { address: session, detail: `${path} exists, so ${id} is not written.` })
}

function refusalOf(name: string): string | undefined {
  try {
    return namesOf(name).length === 1 ? undefined : `its name ${JSON.stringify(name)} has folders in it`
  } catch (error) {
    if (error instanceof ContentRefused) return error.reason
    throw error
  }
}

function refusedFile({ id }: MadeFile, session: string, reason: string): Diagnostic {
  return diagnostic('session.file-refused', { address: session, detail: `${id} is not written, because ${reason}.` })
}
