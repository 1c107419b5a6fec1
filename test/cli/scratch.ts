// Folders and records that tests of the command line work with, whichever way they run it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Every line of an NDJSON output. */
export function records(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Creates a folder that is removed with the test. */
export function scratchFolder(t: { teardown(clean: () => void): void }, name = 'project'): string {
  const parent = mkdtempSync(join(tmpdir(), 'agents-test-'))
  t.teardown(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, name)
  mkdirSync(folder)
  return folder
}
