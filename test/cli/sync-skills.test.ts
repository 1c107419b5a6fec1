// `agents sync` and `agents import` of skills: their content is written to folders beside agents.yaml.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zipSync } from 'fflate'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

interface Provider {
  readonly name: 'bailian' | 'claude'
  readonly block: string
  readonly prefix: string
}

const providers: readonly Provider[] = [
  {
    name: 'bailian',
    block: 'bailian: { api_key: "${KEY}", workspace_id: ws }',
    prefix: '/bailian/api/v1/agentstudio',
  },
  { name: 'claude', block: 'claude: { api_key: "${KEY}" }', prefix: '/claude/v1' },
]

const manifest = (text = 'Read.') => `---\nname: code-review\ndescription: How\n---\n${text}\n`
const binary = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256))
const agent = '\nagents:\n  reviewer: { model: qwen3.8-max, instructions: Review., skills: [review] }\n'
const text = (head: string) => `${head}skills:\n  review: { source: ./own }\n${agent}`

async function world(t: Test, { name, block, prefix }: Provider) {
  const emulator = await emulate(t)
  const head = `version: "1"\nproviders:\n  ${block}\n`
  const open = (parent = scratchFolder(t)) => ({
    path: parent,
    run: (...words: readonly string[]) =>
      agentsHere(words, { folder: parent, env: { ...emulator.env, KEY: 'some-k3y' } }),
    put(file: string, content: string | Buffer) {
      mkdirSync(dirname(join(parent, file)), { recursive: true })
      writeFileSync(join(parent, file), content)
    },
    read: (file: string) => readFileSync(join(parent, file), 'utf8'),
  })
  const first = open()
  first.put('own/SKILL.md', manifest())
  first.put('own/scripts/logo.bin', binary)
  first.put('agents.yaml', text(head))
  const { code, stderr } = await first.run('apply', '--yes')
  t.equal(code, 0, stderr)
  const rows = records((await first.run('state', 'list', '--json')).stdout)
  const idOf = (kind: string, logical: string) =>
    String(rows.find((row) => row['address'] === `${name}.${kind}.${logical}`)?.['id'])
  const call = async (path: string, body: FormData | object) => {
    const isForm = body instanceof FormData
    const response = await fetch(emulator.url + prefix + path, {
      method: 'POST',
      headers: {
        authorization: 'Bearer k',
        'x-api-key': 'k',
        'anthropic-version': '2023-06-01',
        'anthropic-beta': 'managed-agents-2026-04-01,skills-2025-10-02,files-api-2025-04-14',
        ...(isForm ? {} : { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { readonly id: string }
  }
  return { emulator, head, open, first, idOf, call, name }
}

type World = Awaited<ReturnType<typeof world>>

/** Uploads other content for the skill, as another client. */
async function changed({ call, idOf, name }: World, files: Readonly<Record<string, string>>): Promise<void> {
  const path = `/skills/${idOf('skill', 'review')}/versions`
  const form = new FormData()
  if (name === 'claude') {
    for (const [file, content] of Object.entries(files))
      form.append('files[]', new Blob([content]), `code-review/${file}`)
    await call(path, form)
  } else {
    const archive = zipSync(
      Object.fromEntries(Object.entries(files).map(([file, content]) => [file, Buffer.from(content)])),
    )
    form.append('file', new Blob([Uint8Array.from(archive)], { type: 'application/octet-stream' }), 'x.zip')
    await call(path, { file_id: (await call('/files', form)).id })
  }
}

for (const provider of providers) {
  t.test(`${provider.name}: skills are written with their exact bytes, and agents refer to them by name`, async (t) => {
    const { head, open } = await world(t, provider)
    const { put, run, read, path } = open()
    put('agents.yaml', head)
    t.equal((await run('sync', '--check')).code, 2)
    t.notOk(existsSync(join(path, 'skills')), 'a check writes nothing')
    const { code, stdout, stderr } = await run('sync', '--import')
    t.equal(code, 0, stderr)
    const written = parse(read('agents.yaml'))
    const [name = ''] = Object.keys(written.skills)
    t.equal(name, 'code-review')
    t.same(written.skills[name], { source: './skills/code-review' })
    t.same(written.agents.reviewer.skills, [name])
    t.equal(read('skills/code-review/SKILL.md'), manifest())
    t.same(readFileSync(join(path, 'skills/code-review/scripts/logo.bin')), binary)
    t.same(readdirSync(join(path, 'skills')), ['code-review'], 'no temporary file is left')
    t.notMatch(stdout, /skills/, 'nothing is skipped')
    t.match((await run('plan')).stdout, 'No changes.')
    t.match((await run('sync')).stdout, 'says what the providers hold')
    put('skills/code-review/SKILL.md', manifest('Read twice.'))
    t.match((await run('plan')).stdout, 'code-review', 'later edits are uploaded')
  })

  t.test(`${provider.name}: content changed by another client is written into the declared folder`, async (t) => {
    const here = await world(t, provider)
    const { run, read, put, path } = here.first
    put('own/.git/HEAD', 'ref')
    await changed(here, { 'SKILL.md': manifest('Read all.'), 'more/notes.md': 'New.' })
    // Reads complete the scan of the new version, which agents then use.
    for (let reads = 0; reads < 5; reads++) await run('plan')
    t.equal((await run('apply', '--yes')).code, 0)
    const before = read('agents.yaml')
    const check = await run('sync', '--check')
    t.equal(check.code, 2)
    t.match(check.stdout, '~ skill review  source in ./own')
    t.equal(read('own/SKILL.md'), manifest(), 'a check writes nothing')
    t.equal((await run('sync')).code, 0)
    t.equal(read('agents.yaml'), before)
    t.equal(read('own/SKILL.md'), manifest('Read all.'))
    t.equal(read('own/more/notes.md'), 'New.')
    t.notOk(existsSync(join(path, 'own/scripts/logo.bin')), 'files that the skill no longer has are removed')
    t.equal(read('own/.git/HEAD'), 'ref', 'files excluded from uploads are kept')
    t.equal((await run('sync', '--check')).code, 0)
    t.notMatch((await run('plan')).stdout, /skill/i, 'nothing is uploaded again')
  })

  t.test(`${provider.name}: import writes the folder, and never overwrites another one`, async (t) => {
    const { head, open, idOf } = await world(t, provider)
    const { put, run, read } = open()
    put('agents.yaml', head)
    put('skills/review/SKILL.md', 'Mine.')
    const { code, stderr } = await run('import', `${provider.name}.skill.review`, idOf('skill', 'review'))
    t.equal(code, 0, stderr)
    t.equal(read('skills/review/SKILL.md'), 'Mine.')
    t.equal(read('skills/review-2/SKILL.md'), manifest())
    t.same(parse(read('agents.yaml')).skills.review, {
      ...parse(read('agents.yaml')).skills.review,
      source: './skills/review-2',
    })
    t.match((await run('plan')).stdout, 'No changes.')
  })

  t.test(`${provider.name}: a folder that a killed run wrote incompletely is completed`, async (t) => {
    const { head, open } = await world(t, provider)
    const { put, run, read, path } = open()
    put('agents.yaml', head)
    put('skills/code-review/SKILL.md', manifest())
    t.equal((await run('sync', '--import')).code, 0)
    t.same(readdirSync(join(path, 'skills')), ['code-review'])
    t.same(readFileSync(join(path, 'skills/code-review/scripts/logo.bin')), binary)
    t.equal(parse(read('agents.yaml')).skills['code-review'].source, './skills/code-review')
  })
}

t.test('a skill with paths outside its folder is reported and skipped; everything else is written', async (t) => {
  for (const [path, reason] of [
    ['../../evil.md', /leads out of the folder/],
    ['/tmp/evil.md', /absolute path/],
    ['C:/evil.md', /absolute path/],
    ['a\\b.md', /not every disk/],
    ['skill.MD', /two files/],
  ] as const) {
    const here = await world(t, providers[0] as Provider)
    await changed(here, { 'SKILL.md': manifest(), [path]: 'x' })
    for (let reads = 0; reads < 6; reads++) await here.first.run('plan')
    const { put, run, read, path: folder } = here.open()
    put('agents.yaml', here.head)
    const { code, stdout, stderr } = await run('sync', '--import')
    t.equal(code, 0, stderr)
    t.match(stdout + stderr, /sync\.content-refused/)
    t.match(stdout + stderr, reason)
    t.notOk(existsSync(join(folder, 'skills')), path)
    t.match(parse(read('agents.yaml')).agents.reviewer.skills, [{ skill_id: here.idOf('skill', 'review') }])
    const refused = await run('import', 'bailian.skill.review', here.idOf('skill', 'review'))
    t.equal(refused.code, 1)
    t.match(refused.stderr, reason)
  }
})

t.test('an archive is found under the other path of Bailian too', async (t) => {
  const { emulator, head, open } = await world(t, providers[0] as Provider)
  await emulator.knobs({ bailian: { skillDownload: 'download' } })
  const { put, run, read } = open()
  put('agents.yaml', head)
  t.equal((await run('sync')).code, 0)
  t.equal(read('skills/code-review/SKILL.md'), manifest())
})

t.test('two providers with the same skill share one folder; a different skill gets its own', async (t) => {
  const here = await world(t, providers[1] as Provider)
  const both = `version: "1"\nproviders:\n  ${providers.map(({ block }) => block).join('\n  ')}\n`
  const { put, run } = here.open()
  put('agents.yaml', `${both}defaults: { provider: bailian }\nskills:\n  code-review: { source: ./own }\n`)
  put('own/SKILL.md', manifest())
  put('own/scripts/logo.bin', binary)
  t.equal((await run('apply', '--yes')).code, 0)
  const same = here.open()
  same.put('agents.yaml', both)
  t.equal((await same.run('sync', '--import')).code, 0)
  t.same(readdirSync(join(same.path, 'skills')), ['code-review'])
  t.match((await same.run('plan')).stdout, 'No changes.')
  await changed(here, { 'SKILL.md': manifest('Other.') })
  const other = here.open()
  other.put('agents.yaml', both)
  t.equal((await other.run('sync')).code, 0)
  const sources = Object.values(parse(other.read('agents.yaml')).skills).map(
    (one) => (one as { source: string }).source,
  )
  t.same(sources.map((source) => other.read(join(source, 'SKILL.md'))).sort(), [manifest('Other.'), manifest()].sort())
})

t.test('a file or symbolic link at the path of the folder is never written to', async (t) => {
  const { head, open } = await world(t, providers[1] as Provider)
  const { put, run, path } = open()
  const outside = scratchFolder(t, 'outside')
  put('agents.yaml', head)
  mkdirSync(join(path, 'skills'))
  symlinkSync(outside, join(path, 'skills/code-review'))
  writeFileSync(join(outside, 'kept'), '')
  t.equal((await run('sync')).code, 0)
  t.same(readdirSync(outside), ['kept'])
})
