// Vaults on Ark: many credentials, and what the emulated service takes and refuses.
import t, { type Test } from 'tap'
import type { Workbench } from '../workbench.js'
import { openArk } from './subject.js'

const variable = (secret_name: string) => ({ auth: { type: 'environment_variable', secret_name, secret_value: 'x' } })
const bearer = { type: 'static_bearer', mcp_server_url: 'https://mcp.example.com', token: 'x' }

async function opened(t: Test): Promise<{ readonly bench: Workbench; readonly path: string }> {
  const bench = await openArk(t)
  bench.declare('vault', 'keys', { credentials: [] })
  const { id } = await bench.create('vault', 'keys')
  return { bench, path: `/vaults/${id}/credentials` }
}

t.test('credentials beyond the first page are listed', async (t) => {
  const { bench, path } = await opened(t)
  for (let index = 0; index < 25; index++) await bench.request('POST', path, variable(`KEY_${index}`))
  const { body } = await bench.request('GET', path)
  t.equal((body['credentials'] as unknown[]).length, 20)
  t.type(body['next_page'], 'string')
  t.notOk('data' in body)
  t.equal((await bench.parts('vault', 'keys')).size, 25)
})

t.test(
  'the match key is unique in a vault, a vault is limited, and a server that does not answer is refused',
  async (t) => {
    const { bench, path } = await opened(t)
    for (let index = 0; index < 100; index++) await bench.request('POST', path, variable(`KEY_${index}`))
    const create = async (name: string) =>
      void (await bench.handler('vault').parts?.create(bench.call, bench.id('vault', 'keys'), {
        key: name,
        desired: variable(name),
      }))
    await t.rejects(create('KEY_100'), { class: 'invalid' } as never, 'no more than 100')
    await t.rejects(create('KEY_1'), { class: 'nameTaken' } as never, 'one credential per key')

    await bench.turn({ mcpHandshake: 'fails' })
    const { body } = await bench.request('POST', '/vaults', { display_name: 'Other' })
    t.equal((await bench.request('POST', `/vaults/${body['id']}/credentials`, { auth: bearer })).status, 400)
  },
)

t.test('the emulator takes both shapes of networking and answers one', async (t) => {
  const { bench, path } = await opened(t)
  const networking = { type: 'limited', limited: { allowed_hosts: ['a.b'] } }
  const { body } = await bench.request('POST', path, { auth: { ...variable('K').auth, networking } })
  t.match(body, { type: 'vault_credential', auth: { networking: { type: 'limited', allowed_hosts: ['a.b'] } } })
})

t.test('the emulator refuses what the server refuses', async (t) => {
  const { bench, path } = await opened(t)
  const { body } = await bench.request('POST', path, variable('KEY'))
  const vault = `/vaults/${bench.id('vault', 'keys')}`
  const refused: readonly (readonly [string, string, object | undefined, number])[] = [
    ['POST', '/vaults', { display_name: '' }, 400],
    ['POST', vault, {}, 400],
    ['POST', '/vaults', { display_name: 'x', name: 'y' }, 400],
    ['POST', path, { auth: { type: 'static_bearer', token: 'x' } }, 400],
    ['POST', `${path}/${body['id']}`, { auth: { type: 'environment_variable', secret_name: 'OTHER' } }, 400],
    ['POST', `${path}/${body['id']}`, { auth: { type: 'static_bearer', token: 'x' } }, 400],
    ['GET', `/vaults/vlt-other/credentials/${body['id']}`, undefined, 404],
  ]
  for (const [method, at, sent, status] of refused) t.equal((await bench.request(method, at, sent)).status, status, at)
})
