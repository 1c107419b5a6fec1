// Files and skills: uploads, scans and removal.
import { strToU8, zipSync } from 'fflate'
import t from 'tap'
import { isFailure } from '../../../core/plugin/failure.js'
import { file } from '../../../plugins/ark/file.js'
import { skill } from '../../../plugins/ark/skill.js'
import type { FileBody } from '../../../plugins/kinds/file.js'
import type { SkillBody } from '../../../plugins/kinds/skill.js'
import { Account, declaration, Subject } from './account.js'

const account = await Account.open()
t.teardown(() => account.close())
t.beforeEach(() => account.control('POST', '/reset'))

const files = new Subject(account, file)
const notes = account.source('docs/notes.md', { 'notes.md': '# Notes' })
const declareFile = (body: Partial<FileBody> = {}, source = notes) =>
  declaration<FileBody>('file', 'notes', { source: source.written, ...body }, [source])

const skills = new Subject(account, skill)
const manual = '---\nname: review\ndescription: Reviews code.\n---\nRead the diff.'
const folder = account.source('skills/review-skill', { 'SKILL.md': manual, 'scripts/run.sh': 'true' })
const declareSkill = (source = folder) =>
  declaration<SkillBody>('skill', 'review', { source: source.written }, [source])

t.test('2.10 a file is uploaded under its base name, for agents unless a purpose is declared', async (t) => {
  const remote = await files.create(declareFile())
  t.match(remote, { object: 'file', filename: 'notes.md', purpose: 'agent', status: 'active', bytes: 7 })
  t.strictSame(files.planned(declareFile(), remote), [])
  const image = account.source('logo.png', { 'logo.png': 'png' })
  const other = declareFile({ purpose: 'user_data' }, image)
  t.strictSame(files.planned(other, await files.create(other)), [])
})

t.test('files are never updated: another content, name or purpose is a new upload', async (t) => {
  t.equal(file.update, undefined)
  const remote = await files.create(declareFile())
  t.strictSame(files.planned(declareFile({ purpose: 'user_data' }), remote), ['purpose'])
  t.not(
    files.desired(declareFile())['sha256'],
    files.desired(declareFile({}, account.source('notes.md', { 'notes.md': 'x' })))['sha256'],
  )
})

t.test('a file is ready when it is active, and a refused one says why', async (t) => {
  const state = (remote: object) => file.ready?.state(remote as never)
  await account.knobs({}, { scans: { reads: 2, outcome: 'clean' } })
  const made = await account.client.create('/files', formOf('agent'))
  t.equal(state(made), 'pending')
  t.equal(state(await file.read(account.call, String(made['id']))), 'pending')
  t.equal(state(await file.read(account.call, String(made['id']))), 'ready')

  await account.knobs({}, { scans: { reads: 0, outcome: 'refused' } })
  const refused = await account.client.create('/files', formOf('agent'))
  t.strictSame(state(refused), { failed: 'the content of the file was refused' })
})

t.test('a file that expired after seven days is gone', async (t) => {
  const { id } = await files.create(declareFile())
  const day = 24 * 3600 * 1000
  await account.knobs({ clockAheadMs: 7 * day - 60_000 })
  await file.read(account.call, String(id))
  await account.knobs({ clockAheadMs: 7 * day + 60_000 })
  const gone = await file.read(account.call, String(id)).catch((error: unknown) => error)
  t.ok(isFailure(gone, 'gone'))
  t.equal(file.lostCreate.by, 'content')
})

t.test('the list of files continues after the last id', async (t) => {
  for (let index = 0; index < 103; index++) await account.client.create('/files', formOf('agent'))
  const ids = new Set<unknown>()
  for await (const remote of file.list?.(account.call) ?? []) ids.add(remote['id'])
  t.equal(ids.size, 103)
  const { body } = await account.raw('GET', '/files?limit=2&order=asc')
  t.match(body, { object: 'file', has_more: true, first_id: String, last_id: String })
  t.equal((await account.raw('GET', '/files?page=x')).status, 400)
  t.equal((await account.raw('GET', '/files?after=file-none')).status, 400)
})

t.test('an answer of the older form, with file_id, still names its id', async (t) => {
  t.strictSame(file.outputs({ file_id: 'file-1' }), { id: 'file-1' })
})

t.test('the emulator refuses uploads without a purpose, without a file, and text for users', async (t) => {
  for (const form of [formOf(undefined), formOf('fun'), formOf('user_data'), formOf('agent', '')]) {
    const refused = await account.client.create('/files', form).catch((error: unknown) => error)
    t.ok(isFailure(refused, 'invalid'))
  }
  const { id } = await files.create(declareFile())
  await file.remove(account.call, String(id))
  t.equal((await account.raw('DELETE', `/files/${id}`)).status, 404)
})

function formOf(purpose: string | undefined, content = 'text'): FormData {
  const form = new FormData()
  if (purpose !== undefined) form.set('purpose', purpose)
  if (content !== '') form.set('file', new Blob([content]), 'notes.txt')
  return form
}

t.test('a skill is one archive with one folder that is named as SKILL.md says', async (t) => {
  const remote = await skills.create(declareSkill())
  t.match(remote, { object: 'skill', name: 'review', description: 'Reviews code.', latest_version: '1' })
  t.strictSame(skills.planned(declareSkill(), remote), [])
  t.equal(skill.update, undefined, 'a changed folder is a new skill')
})

t.test('a removal of a skill is attempted, and its refusal is not a failure', async (t) => {
  const { id } = await skills.create(declareSkill())
  await skill.remove(account.call, String(id))
  t.equal((await account.requests('DELETE')).length, 1)
  t.match(await skill.read(account.call, String(id)), { id })
  t.equal(skill.removal, 'forget')
  t.match(await account.control('GET', '/objects'), { objects: [{ kind: 'skill', id, permanent: true }] })
})

t.test('skills can neither be listed nor changed', async (t) => {
  const { id } = await skills.create(declareSkill())
  t.equal(skill.list, undefined)
  for (const [method, path] of [
    ['GET', '/skills'],
    ['POST', `/skills/${id}`],
    ['DELETE', `/skills/${id}`],
    ['GET', `/skills/${id}/versions`],
  ] as const)
    t.equal((await account.raw(method, path)).status, 404, `${method} ${path}`)
})

t.test('the emulator refuses invalid archives, and archives without SKILL.md in a single top folder', async (t) => {
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
    return account.client.create('/skills', form)
  }
  for (const archive of archives) {
    const refused = await upload(archive).catch((error: unknown) => error)
    t.ok(isFailure(refused, 'invalid'))
  }
  t.match(await upload(zip({ 'a/SKILL.md': 'no front matter' })), { name: 'a' })
})
