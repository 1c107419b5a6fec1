// The corpus of real and hostile files, if it exists beside the checkout.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PdfSource } from '../../../workers/messages/task.js'

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
export const corpusFolder = process.env['STEWARD_CORPUS'] ?? join(dirname(root), 'shared/corpus')

/** Test options that skip a test without the corpus. */
export const needsCorpus = {
  skip: !existsSync(corpusFolder) && `set STEWARD_CORPUS to a folder of PDF files (none at ${corpusFolder})`,
}

export interface CorpusFile {
  /** Path inside the corpus. */
  readonly name: string
  readonly isHostile: boolean
  readonly source: PdfSource
}

export function corpus(): readonly CorpusFile[] {
  const passwords = knownPasswords()
  return readdirSync(corpusFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.pdf'))
    .sort()
    .map((path) => {
      const name = relative(corpusFolder, join(corpusFolder, path))
      const password = passwords.get(name)
      const source = {
        document: name,
        key: name,
        path: join(corpusFolder, path),
        sizeBytes: statSync(join(corpusFolder, path)).size,
      }
      return {
        name,
        isHostile: name.startsWith('hostile/'),
        source: password === undefined ? source : { ...source, password: Buffer.from(password) },
      }
    })
}

function knownPasswords(): ReadonlyMap<string, string> {
  const index = join(corpusFolder, 'index.json')
  const records: readonly { file: string; passwords?: { user?: string } }[] = existsSync(index)
    ? JSON.parse(readFileSync(index, 'utf8'))
    : []
  return new Map(records.flatMap(({ file, passwords }) => (passwords?.user ? [[file, passwords.user] as const] : [])))
}
