// `npm run bench`: the engine, then the document server, each part in a process of its own so that neither warms the other.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const parts = ['engine.mjs', 'documents.mjs', 'editing.mjs', 'signing.mjs', 'fairness.mjs']
const codes = parts.map((name) => {
  const script = fileURLToPath(new URL(name, import.meta.url))
  return spawnSync(process.execPath, [script], { stdio: 'inherit' }).status
})
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
