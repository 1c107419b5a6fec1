// Lets Node run the TypeScript of this repository: `node --import ./scripts/typescript.mjs FILE.ts`. The loader that
// tap brings compiles every source again in every process, which took half the time of a whole test run.
import { register } from 'node:module'

register('./typescript-hooks.mjs', import.meta.url)
