// Existing files: the corpus, if there is one, and the folders in STEWARD_MATRIX_FILES.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { corpus, needsCorpus } from '../../support/pdf/corpus.js'
import type { MatrixFile } from './matrix-file.js'

/** A text file beside a PDF, `a.pdf.password`, contains its password. */
export function givenFiles(folders = process.env['STEWARD_MATRIX_FILES']): readonly MatrixFile[] {
  return [...corpusFiles(), ...(folders ?? '').split(':').filter(Boolean).flatMap(filesIn)]
}

function corpusFiles(): readonly MatrixFile[] {
  if (needsCorpus.skip !== false) return []
  return corpus().map(({ name, isHostile, source: { path, password } }) => ({
    name,
    isHostile,
    ...(password && { password: Buffer.from(password).toString('utf8') }),
    bytes: () => readFile(path),
  }))
}

function filesIn(folder: string): readonly MatrixFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pdf'))
    .sort()
    .map((name) => {
      const secret = join(folder, `${name}.password`)
      return {
        name,
        ...(existsSync(secret) && { password: readFileSync(secret, 'utf8').trim() }),
        bytes: () => readFile(join(folder, name)),
      }
    })
}
