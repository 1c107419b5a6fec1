// Starts TypeScript programs of tests as child processes. The test run has compiled them.
import { fileURLToPath } from 'node:url'
import { compiledPath } from '../../scripts/compiled-typescript.mjs'

/** Returns arguments of `node`: `childProgram(new URL('support/holder.ts', import.meta.url))`. */
export const childProgram = (file: URL): readonly string[] => [
  '--enable-source-maps',
  compiledPath(fileURLToPath(file)),
]
