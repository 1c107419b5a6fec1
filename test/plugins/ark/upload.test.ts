// Files and skills on Ark: scans, lists, archives, and skills that stay for ever.
import { strToU8, zipSync } from 'fflate'
import t from 'tap'
import type { Workbench } from '../workbench.js'
import { openArk } from './subject.js'

const manual = '---\nname: review\ndescription: Reviews code.\n---\nRead the diff.'

async function createSkill(bench: Workbench) {
  const folder = { 'SKILL.md': manual, 'scripts/run.sh': 'true' }
  bench.declare('skill', 'review', { source: './skills/review-skill' }, { './skills/review-skill': folder })
  return bench.create('skill', 'review')
}

function formOf(purpose: string | undefined, content = 'text'): FormData {
  const form = new FormData()
  if (purpose !== undefined) form.set('purpose', purpose)
  if (content !== '') form.set('file', new Blob([content]), 'notes.txt')
  return form
}

t.test('an image is uploaded for users, and another purpose is another upload', async (t) => {
  const bench = await openArk(t)
  const declare = (purpose: string) =>
    bench.declare('file', 'logo', { source: 'logo.png', purpose }, { 'logo.png': 'png' })
  declare('user_data')
  t.match(await bench.create('file', 'logo'), { purpose: 'user_data' })
  t.same(await bench.drift('file', 'logo'), [])
  declare('agent')
  t.same(await bench.drift('file', 'logo'), ['purpose'])
})

t.test('the list of files continues after the last id', async (t) => {
  const bench = await openArk(t)
  for (let index = 0; index < 103; index++) await bench.request('POST', '/files', formOf('agent'))
  t.equal(new Set(await bench.listed('file')).size, 103)
  const { body } = await bench.request('GET', '/files?limit=2&order=asc')
  t.match(body, { object: 'file', has_more: true, first_id: String, last_id: String })
  t.equal((await bench.request('GET', '/files?page=x')).status, 400)
  t.equal((await bench.request('GET', '/files?after=file-none')).status, 400)
})

t.test('an answer of the older form, with file_id, still names its id', async (t) => {
  const { outputs, lostCreate } = (await openArk(t)).handler('file')
  t.strictSame(outputs({ file_id: 'file-1' }), { id: 'file-1' })
  t.equal(lostCreate.by, 'content')
})

t.test('the emulator refuses uploads without a purpose, without a file, and text for users', async (t) => {
  const bench = await openArk(t)
  for (const form of [formOf(undefined), formOf('fun'), formOf('user_data'), formOf('agent', '')])
    t.equal((await bench.request('POST', '/files', form)).status, 400)
  const { body } = await bench.request('POST', '/files', formOf('agent'))
  for (const status of [200, 404]) t.equal((await bench.request('DELETE', `/files/${body['id']}`)).status, status)
})

t.test('a skill is one archive with one folder that is named as SKILL.md says', async (t) => {
  const bench = await openArk(t)
  const remote = await createSkill(bench)
  t.match(remote, { object: 'skill', name: 'review', description: 'Reviews code.', latest_version: '1' })
  t.same(await bench.drift('skill', 'review'), [])
  t.equal(bench.handler('skill').update, undefined, 'a changed folder is a new skill')
})

t.test('a removal of a skill is attempted, and its refusal is not a failure', async (t) => {
  const bench = await openArk(t)
  const { id } = await createSkill(bench)
  await bench.remove('skill', 'review')
  t.equal((await bench.sent('DELETE', `/skills/${id}`)).length, 1)
  t.equal(await bench.isGone('skill', 'review'), false)
  t.equal(bench.handler('skill').removal, 'forget')
  const { body } = await bench.request('GET', '/_emulator/objects')
  t.match(body, { objects: [{ kind: 'skill', id, permanent: true }] })
})

t.test('skills can neither be listed nor changed', async (t) => {
  const bench = await openArk(t)
  const { id } = await createSkill(bench)
  t.equal(bench.handler('skill').list, undefined)
  for (const [method, path] of [
    ['GET', '/skills'],
    ['POST', `/skills/${id}`],
    ['DELETE', `/skills/${id}`],
    ['GET', `/skills/${id}/versions`],
  ] as const)
    t.equal((await bench.request(method, path)).status, 404, `${method} ${path}`)
})

t.test('the emulator refuses invalid archives, and archives without SKILL.md in a single top folder', async (t) => {
  const bench = await openArk(t)
  const zip = (entries: Record<string, string>) =>
    zipSync(Object.fromEntries(Object.entries(entries).map(([path, text]) => [path, strToU8(text)])))
  const archives = [
    Buffer.from('no zip'),
    zip({ 'SKILL.md': manual }),
    zip({ 'a/SKILL.md': manual, 'b/x': '' }),
    zip({ 'a/b/SKILL.md': manual }),
  ]
  const upload = (archive: Uint8Array) => {
    const form = new FormData()
    form.set('files', new Blob([archive]), 'skill.zip')
    return bench.request('POST', '/skills', form)
  }
  for (const archive of archives) t.equal((await upload(archive)).status, 400)
  t.match(await upload(zip({ 'a/SKILL.md': 'no front matter' })), { body: { name: 'a' } })
})
