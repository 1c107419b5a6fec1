// Number of requests of a run: one for each new object, and lists instead of reads afterwards.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agents, scratchFolder } from './program.js'

interface Case {
  readonly model: string
  /** Below `providers.<name>`. */
  readonly keys: readonly string[]
  readonly count: number
}

const cases: Readonly<Record<string, Case>> = {
  qoder: { model: 'auto', keys: ['api_key'], count: 1_000 },
  bailian: { model: 'qwen3.7-plus', keys: ['api_key', 'workspace_id'], count: 150 },
  claude: { model: 'claude-sonnet-4-5', keys: ['api_key'], count: 150 },
  ark: { model: 'doubao-seed-2-1-pro-260628', keys: ['api_key'], count: 150 },
}

/** Page size of lists on every provider. */
const pageSize = 100
/** Lists of each kind that are read before anything is created, to find objects of a lost state. */
const looksBefore = 2

for (const [provider, { model, keys, count }] of Object.entries(cases)) {
  t.test(`${provider}: ${count} new agents take one request each, unchanged ones one for a page`, async (t) => {
    const folder = scratchFolder(t)
    const { env, requests } = await emulate(t)
    const run = (...words: readonly string[]) => agents(words, { folder, env })
    let before = 0
    const newRequests = async () => {
      const all = await requests()
      const since = all.slice(before)
      before = all.length
      return since
    }
    const agent = (index: number) =>
      `  agent-${index}:\n    description: Part ${index}\n    model: ${model}\n    instructions: Look at part ${index}.\n    environment: base\n    metadata:\n      part: "${index}"\n`
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"
providers:
  ${provider}:
${keys.map((key) => `    ${key}: \${KEY}\n`).join('')}environments:
  base:
    config:
      type: cloud
agents:
${Array.from({ length: count }, (_, index) => agent(index)).join('')}`,
    )

    t.equal((await run('validate')).code, 0)
    t.same(await newRequests(), [])

    const applied = await run('apply', '--yes', '--parallelism', '20')
    t.equal(applied.code, 0, applied.stderr)
    const sent = await newRequests()
    const reads = sent.filter(({ method }) => method === 'GET')
    t.equal(sent.length - reads.length, count + 1)
    t.ok(reads.length <= looksBefore, `${reads.length} reads`)

    t.equal((await run('plan', '--detailed-exitcode')).code, 0)
    const planned = await newRequests()
    t.ok(
      planned.every(({ method }) => method === 'GET'),
      'a plan only reads',
    )
    t.ok(planned.length <= Math.ceil(count / pageSize) + 1, `${planned.length} requests, even if one waits for another`)
  })
}
