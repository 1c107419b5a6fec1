// `agents import` and `agents state mv`: existing objects are bound to an address and kept.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { acme, furnish } from './acme.js'

t.test('import writes a missing declaration, preserves comments, and then the plan is empty', async (t) => {
  const { file, providers, write, run, ask } = await acme(t)
  const { environment } = await furnish(ask)
  const text = `# Ours.\n${providers}\nenvironments:   # where\n  # nothing else yet\n  base:\n    config: { type: cloud } # plain\n\n# The end.\n`
  write(text)
  t.equal((await run('apply', '--yes')).code, 0)
  const { code, stdout, stderr } = await run('import', 'environment.shop', environment)
  t.equal(code, 0, stderr)
  t.match(stdout, 'Wrote acme.environment.shop into agents.yaml.')
  const shop =
    '  shop:\n    name: Work shop\n    config:\n      type: cloud\n      packages:\n        npm:\n          - prettier\n'
  t.equal(readFileSync(file, 'utf8'), text.replace('# plain\n', `# plain\n${shop}`))
  t.match((await run('plan')).stdout, 'No changes. 2 resources as declared.')
})

t.test('import binds a declared object, and changes only its ownership mark', async (t) => {
  const { file, providers, write, run, ask } = await acme(t)
  const made = await ask('POST', '/agents', {
    name: 'helper',
    model: 'acme-large',
    system: 'Help.',
    metadata: { team: 'a' },
  })
  write(
    `${providers}agents:\n  helper:\n    model: acme-large\n    instructions: Help, please.\n    metadata: { team: a }\n`,
  )
  const before = readFileSync(file, 'utf8')
  t.equal((await run('import', 'acme.agent.helper', made.id)).code, 0)
  t.equal(readFileSync(file, 'utf8'), before)
  t.match(await ask('GET', `/agents/${made.id}`), {
    system: 'Help.',
    metadata: { team: 'a', 'agents.resource': 'helper', 'agents.project': 'project' },
  })
  t.match((await run('plan')).stdout, /~ update acme\.agent\.helper[\s\S]*instructions: "Help\." -> "Help, please\."/)
})

t.test(
  '7.8 an id that is missing or bound already, and a bad address, are refused with the file untouched',
  async (t) => {
    const { folder, file, providers, write, run, ask } = await acme(t)
    const { environment, agent } = await furnish(ask)
    write(providers)
    const refused = async (address: string, id: string, code: string, reported: RegExp) => {
      const before = readFileSync(file, 'utf8')
      const result = await run('import', address, id)
      t.equal(result.code, 1, code)
      t.match(result.stderr, `[${code}]`)
      t.match(result.stderr, reported)
      t.equal(readFileSync(file, 'utf8'), before)
    }
    await refused('acme.environment.shop', 'environment_0', 'import.not-found', /environment_0/)
    await refused('acme.enviroment.shop', environment, 'import.unknown-kind', /Did you mean "environment"\?/)
    await refused('agent', agent, 'import.bad-address', /acme\.kind\.name|unknown/)
    t.notOk(existsSync(join(folder, 'agents.state.lock')))
    t.equal((await run('import', 'acme.environment.shop', environment)).code, 0)
    await refused('acme.environment.other', environment, 'import.id-taken', /state mv acme\.environment\.shop/)
    await refused('acme.environment.shop', environment, 'import.address-taken', /state rm acme\.environment\.shop/)
  },
)

t.test('state mv keeps the object, and the next apply corrects its mark', async (t) => {
  const { providers, write, run, ask } = await acme(t)
  const agent = (name: string) => `${providers}agents:\n  ${name}:\n    model: acme-large\n    instructions: Help.\n`
  write(agent('helper'))
  t.equal((await run('apply', '--yes')).code, 0)
  const id =
    /^id: +(\S+)|"id": ?"([^"]+)"/m.exec((await run('state', 'show', 'agent.helper', '--json')).stdout)?.[2] ?? ''
  write(agent('guide'))
  t.equal((await run('state', 'mv', 'acme.agent.helper', 'acme.agent.guide')).code, 0)
  const plan = await run('plan')
  t.match(plan.stdout, /~ update acme\.agent\.guide/)
  t.match(plan.stdout, /metadata\["agents\.resource"\]: "helper" -> "guide"/)
  t.equal((await run('apply', '--yes')).code, 0)
  t.match(await ask('GET', `/agents/${id}`), { name: 'guide', metadata: { 'agents.resource': 'guide' } })
  t.match((await run('plan')).stdout, 'No changes.')
})
