// One call of a command is answered by another server, with a success status: the command fails with an explanation, or its
// output is true. Lists have pages of two, so that later pages are requested too.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { chosen } from '../../core/conformance/chance.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { startStrangeProxy } from '../support/strange-proxy.js'
import { type ShapeName, shapeNames, startStrangeServer } from '../support/strange-server.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

interface Case {
  readonly keys: readonly string[]
  readonly model: string
  readonly agent?: string
  readonly more?: string
  readonly hasDeployment: boolean
}

const forward = `    delivery: { qoder: { type: forward } }\n`
const cases: Readonly<Record<string, Case>> = {
  ark: { keys: ['api_key'], model: 'doubao-seed-2-1-pro-260628', hasDeployment: true },
  bailian: { keys: ['api_key', 'workspace_id'], model: 'qwen3.7-plus', hasDeployment: true },
  claude: { keys: ['api_key'], model: 'claude-sonnet-4-5', hasDeployment: true },
  qoder: { keys: ['api_key'], model: 'auto', hasDeployment: true },
  'qoder (forward)': {
    keys: ['api_key'],
    model: 'auto',
    agent: forward,
    more: 'defaults: { identity: visitor }\nidentities: { visitor: { external_id: u1 } }\n',
    hasDeployment: false,
  },
}

/** Command line; `SESSION` stands for a session that was created before. */
const commands: readonly string[] = [
  'session create helper --title Try',
  'session list',
  'session list helper',
  'session show SESSION',
  'session send SESSION Hello',
  'session events SESSION',
  'session archive SESSION',
  'session delete SESSION',
  'memory list wiki',
  'memory show wiki c.md',
  'memory put wiki c.md Later',
  'memory put wiki new.md Later',
  'memory rm wiki b.md',
  'memory versions wiki a.md',
  'deployment run nightly',
  'deployment pause nightly',
  'deployment resume nightly',
  'deployment runs nightly',
  'sync --check',
  'plan --detailed-exitcode',
]
/**
 * Commands that may succeed nevertheless: they send the request again, or find their object before the page they
 * requested ahead.
 */
const quiet = /^(session (delete|archive)|memory (show|rm|put))/
/** The answer to a message that was sent is an object without known members, so that every object is one. */
const isAnyObject = ({ command, shape }: Trial): boolean =>
  command.startsWith('session send') && shape === 'an object of something else'
/** Size of the sample per provider. */
const tries = 3

interface Trial {
  readonly command: string
  readonly number: number
  /** Resource that the call requests. */
  readonly collection: string
  readonly shape: ShapeName
}

const server = await startStrangeServer()
t.teardown(() => server.close())

for (const [title, tried] of Object.entries(cases))
  t.test(`${title}: no malformed answer to any call of a command is accepted as valid`, async (t) => {
    const { proxy, run, session } = await applied(t, title.split(' ')[0] ?? '', tried)
    const trials: Trial[] = []
    for (const command of commands) {
      const words = command.replace('SESSION', /SESSION/.test(command) ? await session() : '')
      await proxy.answer()
      const { code } = await run(words)
      if (code === 1) continue // Not offered by this provider.
      proxy.calls.forEach((call, index) => {
        for (const shape of shapeNames)
          trials.push({ command, number: index + 1, collection: collectionOf(call), shape })
      })
    }
    const failures: string[] = []
    for (const index of chosen(trials.length, sampleOf(tries).sample)) {
      const trial = trials[index - 1]
      if (!trial) continue
      const words = trial.command.replace('SESSION', /SESSION/.test(trial.command) ? await session() : '')
      await proxy.answer(trial.number, server.at(trial.shape, 200))
      const { code, stdout, stderr } = await run(words)
      const call = proxy.calls[trial.number - 1]
      await proxy.answer()
      const isReported = code !== 0 && /answered 200|still there|longer than/.test(stdout + stderr)
      const isTrue = code === 0 && (quiet.test(trial.command) || isAnyObject(trial))
      // The malformed answer may have gone to a page that the previous command requested ahead and did not need.
      const isRequested = call !== undefined && collectionOf(call) === trial.collection
      if (isRequested && !isReported && !isTrue)
        failures.push(
          `${trial.command}: ${call} with ${trial.shape}: ${code} ${stderr.slice(0, 300)} ${stdout.slice(0, 300)}`,
        )
    }
    t.comment(`${trials.length} pairs of call and answer`)
    t.ok(trials.length > 0)
    t.same(failures, [])
  })

/** `GET sessions`: words without digits, of the path alone. */
function collectionOf(call: string): string {
  const [method = '', path = ''] = call.split(/[ ?]/)
  return [method, ...path.split('/').filter((word) => /^[a-z_]+$/.test(word))].join(' ')
}

async function applied(t: Test, provider: string, { keys, model, agent = '', more = '', hasDeployment }: Case) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const proxy = await startStrangeProxy(emulator.url)
  t.teardown(() => proxy.close())
  const deployment = `deployments:\n  nightly: { agent: helper, initial_events: [{ type: user.message, content: Look. }] }\n`
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"
providers:
  ${provider}: { ${keys.map((key) => `${key}: "\${${key.toUpperCase()}}"`).join(', ')} }
${more}environments:
  sandbox: { config: { type: cloud } }
memory_stores:
  wiki: { entries: [${['a', 'b', 'c'].map((key) => `{ key: ${key}.md, content: ${key} }`).join(', ')}] }
agents:
  helper:
    model: ${model}
    instructions: Help.
    environment: sandbox
${agent}${hasDeployment ? deployment : ''}`,
  )
  const run = (words: string) => agentsHere(words.split(/ +/), { folder, env: { STEWARD_EMULATOR: proxy.url } })
  const first = await run('apply --yes')
  t.equal(first.code, 0, first.stderr)
  const session = async () => {
    await proxy.answer()
    const { stdout, stderr } = await run('session create helper --json')
    const made = records(stdout).find(({ type }) => type === 'session')
    if (!made) throw new Error(stderr)
    return String(made['id'])
  }
  for (let made = 0; made < 3; made++) await session()
  return { proxy, run, session }
}
