// Starts TypeScript programs of tests as child processes, with the loader but without other options of the test runner.
import { fileURLToPath } from 'node:url'

const loader = new URL('../../scripts/typescript.mjs', import.meta.url).href

/** Returns arguments of `node`: `childProgram(new URL('support/holder.ts', import.meta.url))`. */
export const childProgram = (file: URL): readonly string[] => ['--import', loader, fileURLToPath(file)]
