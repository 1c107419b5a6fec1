// `npm run bench [-- PART…]`: the engine, then the document server, each part in a process of its own so that neither warms the
// other. Parts that need PostgreSQL, Redis, nginx and an object store run only if they are named.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const usual = ['engine', 'documents', 'editing', 'redaction', 'signing', 'fairness', 'viewers']
const onDemand = ['stores', 'cluster']
const named = process.argv.slice(2)
const unknown = named.find((name) => ![...usual, ...onDemand].includes(name))
if (unknown !== undefined) {
  console.error(`There is no part ${unknown}; there are ${[...usual, ...onDemand].join(', ')}`)
  process.exit(64)
}
const codes = (named.length > 0 ? named : usual).map((name) => {
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  // These use what the tests have for engines, in TypeScript.
  const loader = onDemand.includes(name) ? ['--import', new URL('../scripts/typescript.mjs', import.meta.url).href] : []
  return spawnSync(process.execPath, [...loader, script], { stdio: 'inherit' }).status
})
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
