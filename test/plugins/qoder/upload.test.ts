// Uploads of Qoder's managed API that are repeated, and what the service answers of files.
import t from 'tap'
import { openQoder } from './subject.js'

const folder = (text: string, name = 'review') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Reviews code\n---\n${text}\n`,
  'scripts/run.sh': 'echo run\n',
})

t.test('a repeated update creates one version', async (t) => {
  const bench = await openQoder(t)
  bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('one') })
  const remote = await bench.create('skill', 'reviewing')
  const { sources } = bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('two') })
  const desired = { sha256: [...sources.values()][0]?.sha256 }
  const request = { id: String(remote['id']), desired, observed: {}, remote, changes: [], sources }
  const handler = bench.handler('skill')
  await handler.update?.(bench.call, request)
  await handler.update?.(bench.call, request)
  t.equal((await bench.request('GET', `/skills/${remote['id']}`)).body['latest_version'], '2')
})

t.test('names of skills are unique', async (t) => {
  const bench = await openQoder(t)
  await bench.seed('skill', { display_title: 'review' })
  bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('one') })
  await t.rejects(bench.create('skill', 'reviewing'), { class: 'nameTaken', code: 'conflict_error' })
})

t.test('an upload with a lost response is found by its key', async (t) => {
  const bench = await openQoder(t)
  const { sources } = bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('one') })
  const handler = bench.handler('skill')
  t.same(handler.lostCreate, { by: 'key' })
  const request = { desired: {}, sources, nonce: 'n1' }
  const first = await handler.create(bench.call, request)
  const second = await handler.create(bench.call, request)
  t.equal(second['id'], first['id'])
  t.equal((await bench.listed('skill')).length, 1)
})

t.test('a lost upload whose folder has changed since gets a new version', async (t) => {
  const bench = await openQoder(t)
  const handler = bench.handler('skill')
  const create = (text: string, nonce: string) => {
    const { sources } = bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder(text) })
    return handler.create(bench.call, { desired: {}, sources, nonce })
  }
  const first = await create('one', 'n1')
  const second = await create('two', 'n1')
  t.match(second, { id: first['id'], latest_version: '2' })
  await t.rejects(
    create('three', 'n2'),
    { class: 'nameTaken', code: 'conflict_error' },
    'another create binds no existing skill',
  )
})

t.test('drift of a file is seen, and its link works without the token', async (t) => {
  const bench = await openQoder(t)
  bench.declare(
    'file',
    'handbook',
    { source: 'handbook.md', purpose: 'user_upload' },
    { 'handbook.md': '# Handbook\n' },
  )
  const { id } = await bench.create('file', 'handbook')
  const { body } = await bench.request('GET', `/files/${id}/content`)
  t.equal(await (await fetch(String(body['url']))).text(), '# Handbook\n')
  await bench.change(String(id), { filename: 'renamed.md', purpose: 'session_resource' })
  t.same(await bench.drift('file', 'handbook'), ['filename', 'purpose'])
})
