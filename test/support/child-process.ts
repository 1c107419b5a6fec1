// Programs of the tests that run in a process of their own, with the loader for TypeScript and nothing else of the runner.
import { fileURLToPath } from 'node:url'

const loader = new URL('../../scripts/typescript.mjs', import.meta.url).href

/** What `node` is to be called with: `childProgram(new URL('support/holder.ts', import.meta.url))`. */
export const childProgram = (file: URL): readonly string[] => ['--import', loader, fileURLToPath(file)]
