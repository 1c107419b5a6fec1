// `agents destroy` with blockers: reported without --cascade, listed and ended with it, and continued by a later run.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

interface Service {
  readonly provider: string
  readonly model: string
  /** Kinds that a live session prevents from being removed. */
  readonly blocked: readonly string[]
}

/** Set if a session blocks the removal. On bailian it does not: the environment is removed nevertheless. */
const services: readonly Service[] = [
  { provider: 'ark', model: 'doubao-seed-2-1-pro-260628', blocked: ['environment.sandbox'] },
  { provider: 'claude', model: 'claude-sonnet-4-5', blocked: ['environment.sandbox'] },
  { provider: 'qoder', model: 'auto', blocked: ['agent.helper', 'environment.sandbox'] },
]

const head = ({ provider }: Service) => `version: "1"
providers:
  ${provider}:
    api_key: \${API_KEY}
`
const project = (service: Service) => `${head(service)}environments:
  sandbox:
    config: { type: cloud }
  other:
    config: { type: cloud }
  outside:
    environment_id: env_outside
agents:
  helper:
    model: ${service.model}
    instructions: Help.
    environment: sandbox
  guest:
    model: ${service.model}
    instructions: Help.
    environment: outside
`

/**
 * Returns an applied project with a session that uses its agent and its environment, and another session in objects of
 * somebody else.
 */
async function inUse(t: Test, service: Service) {
  const { provider } = service
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const write = (text: string) => writeFileSync(join(folder, 'agents.yaml'), text)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env } })
  await emulator.seed({ provider, kind: 'environment', id: 'env_outside' })
  write(project(service))
  t.equal((await run('apply', '--yes')).code, 0)
  const start = async (agent: string) => {
    const created = await run('session', 'create', agent, '--json')
    return String(records(created.stdout).find(({ type }) => type === 'session')?.['id'])
  }
  const session = await start('helper')
  /** Resources that are still there. */
  const left = async () => (await emulator.objects()).filter(({ kind }) => kind !== 'session').map(({ name }) => name)
  return { emulator, write, run, start, session, left }
}

for (const service of services) {
  const { provider, blocked } = service
  const addresses = blocked.map((address) => `${provider}.${address}`)

  t.test(
    `${provider}: without --cascade blocked objects fail with a list of blockers, the others are removed, exit code 3`,
    async (t) => {
      const { write, run, session, left } = await inUse(t, service)
      const { code, stdout, stderr } = await run('destroy', '--yes')
      t.equal(code, 3)
      t.match(stderr, '[provider.in-use]')
      t.match(stderr, `session ${session} (`)
      t.match(stdout, `removed ${provider}.environment.other`)
      const names = blocked.map((address) => address.split('.')[1])
      t.same((await left()).sort(), names.sort())
      const state = (await run('state', 'list')).stdout
      for (const address of addresses) t.match(state, address)

      t.test('a later destroy continues, also when the file no longer declares the object', async (t) => {
        write(head(service))
        t.equal((await run('session', provider === 'ark' ? 'delete' : 'archive', session)).code, 0)
        const again = await run('destroy', '--yes')
        t.equal(again.code, 0, again.stderr)
        t.match(again.stdout, `Applied: ${blocked.length} removed.`)
        t.same(await left(), [])
        t.match((await run('state', 'list')).stdout, 'State holds nothing.')
      })
    },
  )

  t.test(
    `${provider}: --cascade names and counts the sessions it ends, and changes nothing else of others`,
    async (t) => {
      const { emulator, run, start, session, left } = await inUse(t, service)
      const elsewhere = provider === 'qoder' ? undefined : await start('guest')
      const { code, stdout, stderr } = await run('destroy', '--yes', '--cascade')
      t.equal(code, 0, stdout + stderr)
      t.match(stdout, /\d+ things? that (is|are) not declared here (is|are) in the way and ended \(--cascade\):/)
      for (const address of addresses)
        t.match(stdout, new RegExp(`  session ${session} \\(\\w+\\), which uses .*${address}`))
      t.ok(stdout.indexOf(session) < stdout.indexOf('removed'), 'sessions are listed before the first change')
      t.same(await left(), [])
      t.ok(await emulator.has('env_outside'), 'external objects are kept')
      if (elsewhere !== undefined) t.ok(await emulator.has(elsewhere), 'a session in an external environment is kept')
    },
  )

  t.test(`${provider}: --cascade reports blockers as JSON records as well`, async (t) => {
    const { run, session } = await inUse(t, service)
    const { stdout } = await run('destroy', '--yes', '--cascade', '--json')
    const reported = records(stdout).filter(({ type }) => type === 'blocker')
    t.match(
      reported,
      addresses.map((address) => ({ type: 'blocker', address, label: new RegExp(`^session ${session} \\(\\w+\\)$`) })),
    )
    t.equal(reported.length, addresses.length)
  })
}
