// Runs a TypeScript program of this repository: `node scripts/run.mjs test/load/soak/run.ts --minutes 1`.
import { pathToFileURL } from 'node:url'
import { compileAll, compiledPath } from './compiled-typescript.mjs'

const [file] = process.argv.splice(2, 1)
process.setSourceMapsEnabled(true)
await compileAll()
await import(pathToFileURL(compiledPath(file)).href)
