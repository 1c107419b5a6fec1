// Texts that differ in how their lines end, or in what cannot be seen; owner, mode and form of the files that sync writes.
import { chmodSync, linkSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const yaml =
  'version: "1"\nproviders: { claude: { api_key: "${KEY}" } }\nagents:\n  helper: { model: m, instructions: ./prompt.md }\n'

async function project(t: Test, prompt: string) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const file = (name: string) => join(folder, name)
  writeFileSync(file('agents.yaml'), yaml)
  writeFileSync(file('prompt.md'), prompt)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'any' } })
  const agent = async () => (await emulator.objects()).find(({ kind }) => kind === 'agent')?.id ?? ''
  const change = async (system: string) => emulator.patch(await agent(), { system })
  return { file, run, change }
}

t.test('a text in CRLF and in LF is the same text, whatever the provider has', async (t) => {
  const { file, run, change } = await project(t, 'One.\r\nTwo.\r\n')
  t.equal((await run('apply', '--yes')).code, 0)
  writeFileSync(file('prompt.md'), 'One.\nTwo.\n')
  t.match((await run('plan')).stdout, /No changes/)
  await change('One.\r\nTwo.\r\n') // As earlier versions sent it.
  for (const prompt of ['One.\nTwo.\n', 'One.\r\nTwo.\r\n']) {
    writeFileSync(file('prompt.md'), prompt)
    t.match((await run('plan')).stdout, /No changes/)
    t.match((await run('sync', '--check')).stdout, /says what the providers hold/)
  }
})

t.test('a plan that was made from CRLF applies from LF', async (t) => {
  const { file, run } = await project(t, 'One.\r\nTwo.\r\n')
  await run('plan', '--out', 'plan.json')
  writeFileSync(file('prompt.md'), 'One.\nTwo.\n')
  const applied = await run('apply', 'plan.json', '--yes')
  t.equal(applied.code, 0, applied.stderr)
})

for (const [what, before, after, shown] of [
  ['a blank that is no U+0020', 'One.\nA b.\n', 'One.\nA\u00a0b.\n', /- A b\.\n.*\+ A\\u00a0b\./],
  ['blanks at the end of a line', 'One.\nTwo.\n', 'One.  \nTwo.\n', /- One\.\n.*\+ One\.··\n/],
  ['the last line break', 'One.\nTwo.', 'One.\nTwo.\n', /with a line break at the end/],
  ['a blank in one line', 'A b', 'A\u00a0b', /"A b" -> "A\\u00a0b"/],
] as const)
  t.test(`a difference in ${what} is seen in the plan`, async (t) => {
    const { file, run } = await project(t, before)
    await run('apply', '--yes')
    writeFileSync(file('prompt.md'), after)
    t.match((await run('plan')).stdout, shown)
  })

t.test('a long line is not shown as if a line break ended it', async (t) => {
  const { run } = await project(t, 'word '.repeat(30).trim())
  t.notMatch((await run('plan')).stdout, /^ *\+ *$/m)
})

t.test('sync keeps line ends, byte order mark, mode and hard links of a text file', async (t) => {
  const { file, run, change } = await project(t, '\ufeffOne.\r\nTwo.\r\n')
  await run('apply', '--yes')
  chmodSync(file('prompt.md'), 0o664)
  chmodSync(file('agents.yaml'), 0o660)
  linkSync(file('prompt.md'), file('other.md'))
  await change('One.\nThree.\n')
  const synced = await run('sync')
  t.equal(synced.code, 0, synced.stderr)
  for (const name of ['prompt.md', 'other.md'])
    t.equal(readFileSync(file(name), 'utf8'), '\ufeffOne.\r\nThree.\r\n', name)
  if (process.platform !== 'win32') t.equal(statSync(file('prompt.md')).mode & 0o777, 0o664)
  t.match((await run('plan')).stdout, /No changes/)
})

t.test('sync gives agents.yaml the mode that it had', async (t) => {
  const { file, run } = await project(t, 'One.')
  await run('apply', '--yes')
  writeFileSync(file('agents.yaml'), yaml.slice(0, yaml.indexOf('agents:')))
  chmodSync(file('agents.yaml'), 0o664)
  const synced = await run('sync', '--import')
  t.equal(synced.code, 0, synced.stderr)
  t.match(readFileSync(file('agents.yaml'), 'utf8'), /helper/)
  if (process.platform !== 'win32') t.equal(statSync(file('agents.yaml')).mode & 0o777, 0o664)
})
