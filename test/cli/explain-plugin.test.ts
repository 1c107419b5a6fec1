// Commands that list providers include those of plugins in the project file.
import t from 'tap'
import { acme } from './acme.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

t.test('a provider of a plugin is explained, listed, completed and in the schema like a built-in one', async (t) => {
  const { providers, write, run } = await acme(t)
  for (const text of [
    `${providers}agents: {}\n`,
    // Errors elsewhere in the file are reported by validate only.
    `${providers}agents:\n  a: { model: small, instructions: Help., nonsense: 1 }\n`,
  ]) {
    write(text)
    const topics = await run('explain')
    t.equal(topics.code, 0, topics.stderr)
    t.match(topics.stdout, /providers\.acme/)
    t.match((await run('explain', 'providers.acme')).stdout, /api_key/)
    const agent = records((await run('explain', 'agent', '--json')).stdout).find(({ type }) => type === 'topic')
    t.match(agent, { providers: [{}, {}, {}, {}, {}, { provider: 'acme', support: 'native' }] })
    const rows = records((await run('providers', '--json')).stdout)
    t.ok(rows.some(({ provider }) => provider === 'acme'))
    t.match((await run('providers')).stdout, /acme/)
    const { properties } = JSON.parse((await run('schema')).stdout)
    t.match(properties.providers.properties.acme.properties, { api_key: {} }, 'the schema contains its block')
    t.match((await run('__complete', 'key')).stdout, /^providers\.acme\.base_url$/m)
    t.match(properties.webhooks, {}, 'and the kind of the plugin')
    t.match((await run('explain', 'webhook.events')).stdout, /session\.ended/)
    t.match((await run('providers')).stdout, /^webhook .* native$/m)
  }
  write(providers.replace('acme:\n', 'mine:\n'))
  t.match((await run('explain', 'providers.mine')).stdout, /api_key/, 'under its name in the file')
})

t.test('without a valid project file, the built-in providers are explained', async (t) => {
  const folder = scratchFolder(t)
  const { code, stdout, stderr } = await agentsHere(['explain'], { folder })
  t.equal(code, 0)
  t.equal(stderr, '')
  t.match(stdout, /providers\.claude/)
  t.notMatch(stdout, /acme/)
})

t.test(
  'an unknown key is reported with --config, and a named project file that does not exist is an error',
  async (t) => {
    const { providers, write, folder, env } = await acme(t)
    write(`${providers}agents: {}\n`)
    const empty = scratchFolder(t)
    const unknown = await agentsHere(['explain', 'webhook'], { folder: empty })
    t.equal(unknown.code, 64)
    t.match(unknown.stderr, /read from agents\.yaml; name another project file with --config/)
    t.match(
      (await agentsHere(['explain', 'webhook', '-c', `${folder}/agents.yaml`], { folder: empty, env })).stdout,
      /webhooks\.NAME/,
    )
    for (const command of ['explain', 'providers', 'schema']) {
      const missing = await agentsHere([command, '--config', 'prod.yaml'], { folder })
      t.equal(missing.code, 1, command)
      t.match(missing.stderr, /There is no prod\.yaml\./)
      t.equal(missing.stdout, '')
    }
  },
)

t.test('a path is explained as it stands in the file, with the name of a declaration', async (t) => {
  const folder = scratchFolder(t)
  const explained = async (path: string) => {
    const { code, stdout } = await agentsHere(['explain', path], { folder })
    return code === 0 ? stdout.replaceAll(/\s+/g, ' ') : ''
  }
  for (const name of ['NAME', 'helper', 'a-b'])
    t.match(await explained(`agents.${name}.budget`), /a plan notes the change/)
  t.match(await explained('agents.NAME'), await explained('agent'))
  t.equal(await explained('agent.helper.budget'), '')
  t.match(
    await explained('agents.NAME.tools.custom.input_schema'),
    /input_schema map, required .* type object, required/,
  )
  const sources = await explained('agents.NAME.tools.limits.web_fetch.url_sources')
  t.match(sources, /Exactly one of only, except\./)
  t.notMatch(sources, /required/)
})
