// The TypeScript compiler: its native release (version 7), which takes a third of the time. Version 5 stays for the tests that read
// sources by its programming interface, which the native one does not have.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const program = join(root, 'node_modules/typescript-native/bin/tsc')
/** More of them check the same types again: two need a fifth more processor time than one, and less waiting. */
const checkers = '2'

/** Compiles a project as `words` say; returns the exit code. */
export function compileTypes(words) {
  const { status } = spawnSync(process.execPath, [program, '--checkers', checkers, ...words], {
    cwd: root,
    stdio: 'inherit',
  })
  return status ?? 1
}
