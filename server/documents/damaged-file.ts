// What is answered in place of a file that is not whole in the data folder: half a PDF sent with 200 is taken for the document.
import { stat } from 'node:fs/promises'
import { Refusal } from '../errors.js'

/** `stored`: bytes of the file; undefined = it is not there. Throws `Unknown` unless they are as many as recorded. */
export function refuseDamaged(stored: number | undefined, recorded: number): void {
  if (stored === recorded && recorded > 0) return
  throw new Refusal(
    'Unknown',
    'The stored file is damaged; the operator of the server finds it with agents serve --check',
    {
      details: { reason: 'stored-file-damaged' },
    },
  )
}

/** The same of a file in the workshop. */
export async function refuseDamagedFile(path: string, recorded: number): Promise<void> {
  refuseDamaged((await stat(path)).size, recorded)
}
