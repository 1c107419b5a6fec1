// Files uploaded with the folder of a skill, and files that a plan may overwrite.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './program.js'

const project = 'version: "1"\nproviders: { claude: { api_key: "${KEY}" } }\nskills: { s: { source: ./ } }\n'
const manifest = '---\nname: s\ndescription: d\n---\nHelp.\n'

async function folderWith(t: Test, files: Readonly<Record<string, string>> = {}) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const all = { 'agents.yaml': project, '.env': 'KEY=the-key\n', 'SKILL.md': manifest, '.git/HEAD': '', ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, run: (...words: string[]) => agentsHere(words, { folder, env: emulator.env }) }
}

t.test(
  '2.9 secrets, the project, its state and what git ignores stay out of a skill; plan lists the rest',
  async (t) => {
    const { folder, run } = await folderWith(t, {
      '.env.production': 'KEY=another',
      '.gitignore': '*.log\n/build/\n!kept.log\n',
      'a.log': 'x',
      'kept.log': 'x',
      'build/out.md': 'x',
      'notes/.gitignore': '*\n!a.md\n',
      'notes/a.md': 'x',
      'notes/b.md': 'x',
      'agents.state.lock~': 'x',
    })
    const { stdout } = await run('plan', '--json')
    const records = stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []))
    const change = records.find(({ type }) => type === 'change')
    t.same(change.uploads[0].files, ['.gitignore', 'SKILL.md', 'agents.state.lock~', 'kept.log', 'notes/a.md'])
    t.match((await run('plan')).stdout, 'uploads from ./ (5 files')
    t.equal((await run('apply', '--yes')).code, 0)
    t.match((await run('plan')).stdout, 'No changes.', 'state files are not uploaded')
    writeFileSync(join(folder, 'build/out.md'), 'y')
    t.match((await run('plan')).stdout, 'No changes.')
  },
)

t.test('2.9 plan names the first 20 files of a folder, and counts the others', async (t) => {
  const notes = Array.from({ length: 19 }, (_, index) => [`note-${String(index + 10)}.md`, 'x'] as const)
  const { folder, run } = await folderWith(t, Object.fromEntries(notes))
  const uploads = async () => (await run('plan')).stdout.replaceAll(/\s+/g, ' ')
  t.match(await uploads(), /\(20 files, .*note-27\.md, note-28\.md(?!, and)/)
  writeFileSync(join(folder, 'note-29.md'), 'x')
  t.match(await uploads(), /\(21 files, .*note-28\.md, and 1 more/)
})

t.test('2.9 a plan saved into the folder of a skill is no part of it, and can be applied', async (t) => {
  const { run } = await folderWith(t)
  const { stderr } = await run('plan', '--out', 'plan.json')
  t.match(stderr, 'Saved the plan.')
  t.equal((await run('apply', 'plan.json')).code, 0)
  t.match((await run('plan', '--out', 'next')).stdout, 'No changes.')
})

t.test('2.9 an ignored folder that is declared is uploaded; dangling links are reported as such', async (t) => {
  const { folder, run } = await folderWith(t, {
    'agents.yaml': project.replace('./', './build/s'),
    '.gitignore': 'build/\n',
    'build/s/SKILL.md': manifest,
  })
  t.equal((await run('validate')).code, 0)
  symlinkSync('nowhere', join(folder, 'build/s/dangling'))
  t.match(await told(run), 'dangling is a link to something that does not exist')
})

t.test('a link in a circle is reported as such', async (t) => {
  const { folder, run } = await folderWith(t)
  symlinkSync('two', join(folder, 'one'))
  symlinkSync('one', join(folder, 'two'))
  t.match(await told(run), 'is a link that leads back to itself')
})

t.test('a plan file may only replace a plan file', async (t) => {
  const { folder, run } = await folderWith(t)
  for (const name of ['agents.yaml', '.env', 'SKILL.md', '.git']) {
    const refused = await run('plan', '--out', name)
    t.equal(refused.code, 1)
    t.match(refused.stderr, '[plan-file.other-file]')
  }
  t.equal(readFileSync(join(folder, 'agents.yaml'), 'utf8'), project)
  for (const _ of ['first', 'again']) t.equal((await run('plan', '--out', 'p.json')).code, 0)
  t.match(JSON.parse(readFileSync(join(folder, 'p.json'), 'utf8')), { format: 'agents-plan' })
  t.match((await run('apply', '/dev/zero', '--yes')).stderr, '[plan-file.unreadable]')
  t.match((await run('plan', '--recreate', 'nope')).stderr, '[plan.unknown-provider]')
})

t.test('2.9 saved plans stay out of a skill, whatever they are called, so that they can be applied', async (t) => {
  const { folder, run } = await folderWith(t, { 'notes/a.json': '{"format": "mine"}' })
  t.equal((await run('plan', '--out', 'notes/reviewed')).code, 0)
  t.match((await run('plan')).stdout, 'uploads from ./ (2 files', 'only what is no plan')
  const applied = await run('apply', 'notes/reviewed')
  t.equal(applied.code, 0, applied.stderr)
  writeFileSync(join(folder, 'SKILL.md'), `${manifest}More.\n`)
  await run('plan', '--out', 'notes/second')
  t.match((await run('apply', 'notes/second')).stdout, 'Applied: 1 updated.')
  t.match((await run('plan')).stdout, 'No changes.')
})

t.test('2.5 variables of the environment are inserted into setup_script', async (t) => {
  const { run } = await folderWith(t, {
    'agents.yaml':
      'version: "1"\nproviders: { qoder: { api_key: "${KEY}" } }\nenvironments: { e: { config: { type: cloud, setup_script: "x ${KEY}" } } }\n',
  })
  const { stdout } = await run('plan')
  t.notMatch(stdout, /the-key|\$\{KEY\}/)
})

async function told(run: (...words: string[]) => Promise<{ readonly stdout: string; readonly stderr: string }>) {
  const { stdout, stderr } = await run('validate')
  return (stdout + stderr).replace(/\s+/g, ' ')
}
