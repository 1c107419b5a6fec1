// Skills and files of Qoder's managed API, against the emulator.
import t from 'tap'
import { openQoder } from './subject.js'

const folder = (text: string, name = 'review') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Reviews code\n---\n${text}\n`,
  'scripts/run.sh': 'echo run\n',
})

t.test('a skill just created needs no change', async (t) => {
  const bench = await openQoder(t)
  bench.declare('skill', 'reviewing', { source: './skills/review' }, { './skills/review': folder('one') })
  const remote = await bench.create('skill', 'reviewing')
  t.match(remote, { display_title: 'review', description: 'Reviews code', latest_version: '1' })
  t.same(await bench.drift('skill', 'reviewing'), [])
  t.same(await bench.listed('skill'), [remote['id']], 'skills of the service are not listed')
})

t.test('other content is a new version of the same skill', async (t) => {
  const bench = await openQoder(t)
  bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('one') })
  const { id } = await bench.create('skill', 'reviewing')
  bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('two') })
  await bench.update('skill', 'reviewing')
  t.same(bench.outputs('skill', 'reviewing'), { id, version: '2' })
  bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('one') })
  await bench.update('skill', 'reviewing')
  t.same(bench.outputs('skill', 'reviewing'), { id, version: '3' }, 'former content is a new version')
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

t.test('a skill whose SKILL.md has another name is refused, and nothing is sent', async (t) => {
  const bench = await openQoder(t)
  bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('one') })
  const { id } = await bench.create('skill', 'reviewing')
  bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('two', 'renamed') })
  await t.rejects(bench.update('skill', 'reviewing'), { diagnostics: [{ code: 'qoder.skill-renamed' }] } as never)
  t.same(await bench.sent('POST', `/skills/${id}/versions`), [])
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

t.test('a removed skill is gone', async (t) => {
  const bench = await openQoder(t)
  bench.declare('skill', 'reviewing', { source: './review' }, { './review': folder('one') })
  const { id } = await bench.create('skill', 'reviewing')
  await bench.remove('skill', 'reviewing')
  t.equal((await bench.request('GET', `/skills/${id}`)).status, 404)
})

t.test('2.10 a file is uploaded under the base name of its source', async (t) => {
  const bench = await openQoder(t)
  const body = { source: './data/handbook.md', name: 'A label', purpose: 'session_resource' }
  bench.declare('file', 'handbook', body, { './data/handbook.md': '# Handbook\n' })
  bench.declare('file', 'plain', { source: 'plain.txt' }, { 'plain.txt': 'text' })
  const remote = await bench.create('file', 'handbook')
  await bench.create('file', 'plain')
  t.match(remote, {
    filename: 'handbook.md',
    purpose: 'session_resource',
    mime_type: 'text/markdown',
    size_bytes: 11,
    metadata: { 'agents.project': 'demo', 'agents.resource': 'handbook' },
  })
  t.same(await bench.drift('file', 'handbook'), [])
  t.same(await bench.drift('file', 'plain'), [], 'the purpose the service chose is not ours to compare')
  t.equal((await bench.listed('file')).length, 2)
  const { body: link } = await bench.request('GET', `/files/${remote['id']}/content`)
  t.equal(await (await fetch(String(link['url']))).text(), '# Handbook\n', 'the link works without the token')
  await bench.remove('file', 'handbook')
  t.equal((await bench.request('GET', `/files/${remote['id']}`)).status, 404)
})

t.test('a changed file is a new upload, and drift is seen', async (t) => {
  const bench = await openQoder(t)
  bench.declare('file', 'handbook', { source: 'handbook.md', purpose: 'user_upload' }, { 'handbook.md': 'one' })
  const { id } = await bench.create('file', 'handbook')
  const { fields, update, replace } = bench.handler('file')
  for (const path of ['filename', 'purpose', 'sha256', 'metadata']) t.match(fields[path], { immutable: true }, path)
  t.equal(update, undefined)
  t.equal(replace, 'createFirst')
  await bench.change(String(id), { filename: 'renamed.md', purpose: 'session_resource' })
  t.same(await bench.drift('file', 'handbook'), ['filename', 'purpose'])
})
