// Programs of the tests that run in a process of their own, with the loader for TypeScript and nothing else of the runner.
import { fileURLToPath } from 'node:url'

const loaders = process.execArgv.filter((word) => word.startsWith('--import') && word.includes('@tapjs/typescript'))

/** What `node` is to be called with: `childProgram(new URL('support/holder.ts', import.meta.url))`. */
export const childProgram = (file: URL): readonly string[] => [...loaders, fileURLToPath(file)]
