// Error responses for incomplete files in the data folder: clients would take half a PDF sent with 200 for the
// document.
import { stat } from 'node:fs/promises'
import { Refusal } from '../refusals/refusal.js'

/**
 * Throws `Unknown` unless the file has its recorded size. `stored`: size of the file in bytes; undefined if it is
 * missing.
 */
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

/** Throws `Unknown` unless a file in the staging folder has its recorded size. */
export async function refuseDamagedFile(path: string, recorded: number): Promise<void> {
  refuseDamaged((await stat(path)).size, recorded)
}
