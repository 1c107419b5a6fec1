// `npm run docs`: makes the generated pages of docs/. With --check it only says whether they are up to date.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const scratch = mkdtempSync(join(tmpdir(), 'agents-docs-'))
try {
  const outfile = join(scratch, 'docs.mjs')
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/docs/main.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  })
  const { makeDocs } = await import(pathToFileURL(outfile).href)
  process.exitCode = await makeDocs(root, process.argv.includes('--check'))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
