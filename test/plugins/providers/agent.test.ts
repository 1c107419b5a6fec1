// Agents on every provider, against the emulators.
import t, { type Test } from 'tap'
import type { Json, JsonObject } from '../../../core/value/tree.js'
import { objectsOf } from '../../../plugins/shared/wire.js'
import type { Workbench } from '../workbench.js'
import { manifest, minimal, type Row, rows, url } from './agents.js'
import { testCourses } from './course.js'

testCourses(t, 'agent', rows)

async function withEverything(t: Test, { open, furnish, full }: Row): Promise<Workbench> {
  const bench = await open(t)
  await furnish?.(bench)
  bench.declare('agent', 'reviewer', full)
  await bench.create('agent', 'reviewer')
  return bench
}

/** What was sent last to create or change the agent. */
async function lastSent(bench: Workbench): Promise<JsonObject> {
  const id = bench.id('agent', 'reviewer')
  const updates = [...(await bench.sent('POST', id)), ...(await bench.sent('PUT', id))]
  return updates.at(-1) ?? (await bench.sent('POST', '/agents')).at(-1) ?? {}
}

const byReference = (id: string): Json => ({ type: 'agent', id })

const saveAgain = async (bench: Workbench) => {
  const { update, observed } = bench.handler('agent')
  const remote = bench.remote('agent', 'reviewer')
  const desired = observed(remote)
  const request = { id: bench.id('agent', 'reviewer'), remote, desired, observed: desired, changes: [] }
  return update?.(bench.call, { ...request, sources: new Map() })
}

for (const [provider, row] of Object.entries(rows)) {
  const { tools, allTools, exceptions, cleared, members, pinsMembers, pinsSkills, stale, removal } = row

  t.test(provider, async (t) => {
    t.test(tools[0], async (t) => {
      const bench = await withEverything(t, row)
      t.strictSame((await lastSent(bench))['tools'], tools[1])
    })

    t.test('without tools every built-in one is enabled, with an empty list none', async (t) => {
      const bench = await row.open(t)
      for (const [name, body] of Object.entries({ all: {}, none: { tools: { builtin: [] } } })) {
        bench.declare('agent', name, { ...minimal, ...body })
        await bench.create('agent', name)
        t.same(await bench.drift('agent', name), [])
      }
      t.match(bench.remote('agent', 'all')['tools'], allTools)
      t.notMatch(JSON.stringify(bench.remote('agent', 'none')['tools']), /"enabled":true/)
    })

    if (exceptions)
      t.test(exceptions[0], async (t) => {
        const bench = await row.open(t)
        const toolkit = { type: 'mcp_toolkit', mcp_server_name: 'maps', default_config: { enabled: true } }
        const mcp_servers = [provider === 'bailian' ? { name: 'maps' } : { name: 'maps', url }]
        const body = (configs: readonly JsonObject[]) => ({
          ...minimal,
          tools: { builtin: [], mcp: [{ ...toolkit, configs }] },
          mcp_servers,
        })
        bench.declare('agent', 'guide', body([{ name: 'delete', enabled: false }]))
        await bench.create('agent', 'guide')
        t.same(await bench.drift('agent', 'guide'), [])
        t.match(bench.remote('agent', 'guide')['tools'], [{ configs: [{ name: 'delete', enabled: false }] }])
        bench.declare('agent', 'guide', body([{ name: 'find', enabled: true }]))
        t.same(await bench.drift('agent', 'guide'), [exceptions[1]], 'find is enabled by default')
        t.same(await bench.update('agent', 'guide'), [])
      })

    t.test(
      'tools of MCP servers have the permission that the file gives them, and without one are allowed',
      async (t) => {
        const bench = await row.open(t)
        const mcp_servers = [provider === 'bailian' ? { name: 'maps' } : { name: 'maps', url }]
        const toolkit = { type: 'mcp_toolkit', mcp_server_name: 'maps' }
        const body = (mcp: JsonObject) => ({
          ...minimal,
          tools: { builtin: [], mcp: [{ ...toolkit, ...mcp }] },
          mcp_servers,
        })
        const set = () =>
          objectsOf(bench.remote('agent', 'guide')['tools']).find((one) => one['mcp_server_name'] === 'maps')
        const policy = (type: string) => ({ enabled: true, permission_policy: { type } })
        bench.declare('agent', 'guide', body({ default_config: { enabled: true } }))
        await bench.create('agent', 'guide')
        t.match(set(), { default_config: policy('always_allow') }, 'whatever the service takes for none')
        const asking = body({
          default_config: { enabled: true, permission: 'ask' },
          configs: [
            { name: 'find', enabled: true, permission: 'allow' },
            { name: 'move', enabled: true },
          ],
        })
        bench.declare('agent', 'guide', asking)
        t.same(await bench.drift('agent', 'guide'), ['tools/mcp/maps/*', 'tools/mcp/maps/find'])
        t.same(await bench.update('agent', 'guide'), [])
        t.match(set(), { default_config: policy('always_ask'), configs: [{ name: 'find', ...policy('always_allow') }] })
        const single = body({ configs: [{ name: 'find', enabled: true, permission: 'ask' }] })
        bench.declare('agent', 'guide', single)
        t.same(await bench.update('agent', 'guide'), [])
        t.match(set(), { default_config: { enabled: false }, configs: [{ name: 'find', ...policy('always_ask') }] })
      },
    )

    t.test(cleared[0], async (t) => {
      const bench = await withEverything(t, row)
      bench.declare('agent', 'reviewer', { ...row.full, multiagent: undefined })
      t.same(await bench.drift('agent', 'reviewer'), cleared[1])
      t.same(await bench.update('agent', 'reviewer'), [])
      t.match(await lastSent(bench), cleared[2])
      await bench.change(bench.id('agent', 'reviewer'), { multiagent: null })
      t.same(await bench.drift('agent', 'reviewer'), [], 'null, absent and empty are equal')
    })

    if (members !== undefined)
      t.test(members, async (t) => {
        const bench = await withEverything(t, row)
        const ids = [bench.id('agent', 'helper'), 'agent_external']
        const roster = { type: 'coordinator', agents: ids.map(byReference) }
        t.strictSame((await lastSent(bench))['multiagent'], roster)
        bench.declare('agent', 'helper', { ...minimal, instructions: 'Help more.' })
        await bench.update('agent', 'helper')
        t.equal(bench.outputs('agent', 'helper')['version'], '2')
        t.same(await bench.drift('agent', 'reviewer'), [], 'versions of members are not compared')
        const declaration = bench.declaration('agent', 'reviewer')
        const output = (_kind: string, name: string, output = 'id') => `${name} ${output}`
        const followed = bench.handler('agent').follows?.(declaration, { ...bench.scope(declaration), output }) ?? []
        t.same(followed, pinsMembers ? ['helper version'] : [], 'external members are not followed')
        const saved = await saveAgain(bench)
        t.notMatch((await lastSent(bench))['multiagent'], { agents: [{ version: Number }] })
        if (pinsMembers) t.match(saved?.['multiagent'], { agents: [{ id: ids[0], version: 2 }, { version: 1 }] })
      })

    if (pinsSkills)
      t.test('a new version of a skill reaches the agents that use it', async (t) => {
        const bench = await withEverything(t, row)
        bench.declare('skill', 'review', { source: 'review' }, { review: manifest('2') })
        await bench.update('skill', 'review')
        t.same(await bench.drift('agent', 'reviewer'), [`skills/${bench.id('skill', 'review')}/version`])
        t.same(await bench.update('agent', 'reviewer'), [])
      })

    if (stale !== undefined)
      t.test('an update from an older version is refused as stale', async (t) => {
        const bench = await withEverything(t, row)
        const id = bench.id('agent', 'reviewer')
        await bench.change(id, { description: 'by hand' })
        await t.rejects(saveAgain(bench), { class: 'stale', code: stale })
        t.match(
          (await bench.request('GET', `/agents/${id}`)).body,
          { description: 'by hand' },
          'nothing is overwritten',
        )
      })

    if (removal === 'archive')
      t.test('removing an agent archives it, and an archived one counts as gone', async (t) => {
        const bench = await withEverything(t, row)
        t.equal(bench.handler('agent').removal, 'archive')
        await bench.remove('agent', 'reviewer')
        t.equal(await bench.isGone('agent', 'reviewer'), true)
        t.same((await bench.listed('agent')).toSorted(), [bench.id('agent', 'helper'), 'agent_external'].sort())
      })
  })
}
