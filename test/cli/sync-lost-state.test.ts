// `agents sync` with a lost state file: names and paths of objects of the project are kept.
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bodiesOf, missing, wordsIn } from '../support/referred.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

for (const example of ['bailian', 'qoder', 'claude', 'ark', 'four-providers'])
  t.test(`${example}: an example without its state keeps every name and path`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    cpSync(join('examples', example), folder, { recursive: true })
    const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
    const read = () => readFileSync(join(folder, 'agents.yaml'), 'utf8')
    const text = read()
    const applied = await run('apply', '--yes', '--provider', 'all')
    t.equal(applied.code, 0, applied.stderr)
    const rows = records((await run('state', 'list', '--json')).stdout)
    const ids = new Map((await emulator.objects()).map(({ id, kind, provider }) => [id, `${provider}.${kind}`]))
    for (const name of ['agents.state.json', 'agents.state.backup']) rmSync(join(folder, name), { force: true })

    const synced = await run('sync')
    t.equal(synced.code, 0, synced.stderr)
    t.equal(read(), text, 'nothing to write')
    const bound = await run('sync', '--import', '--json')
    t.equal(bound.code, 0, bound.stderr)
    t.equal(read(), text)
    const imported = new Set(records(bound.stdout).map(({ address }) => address))
    // An upload that nothing refers to and that has no mark may be anybody's.
    const words = [...(await bodiesOf(emulator))].flatMap(([owner, body]) =>
      wordsIn(body).filter((word) => word !== owner),
    )
    const lost = rows.filter(({ id, address }) => words.includes(String(id)) && !imported.has(address))
    t.same(lost, [])

    t.equal((await run('apply', '--yes', '--provider', 'all')).code, 0)
    t.match((await run('plan', '--provider', 'all')).stdout, 'No changes.')
    t.equal(read(), text)
    t.same(await missing(emulator, ids.keys()), [], 'all referenced objects exist')
  })

t.test('without --import the commands that are printed bind uploads and skills as well', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
  cpSync('examples/qoder', folder, { recursive: true })
  t.equal((await run('apply', '--yes')).code, 0)
  rmSync(join(folder, 'agents.state.json'))
  rmSync(join(folder, 'agents.state.backup'), { force: true })
  const { stdout } = await run('sync')
  const commands = [...stdout.matchAll(/^ {2}agents (import \S+ \S+)$/gm)].map(([, words]) => words ?? '')
  t.ok(commands.some((words) => words.includes('qoder.file.')))
  t.ok(commands.some((words) => words.includes('qoder.skill.')))
  for (const words of commands) {
    const { code, stderr } = await run(...words.split(' '))
    t.equal(code, 0, `${words}: ${stderr}`)
  }
  t.notMatch((await run('plan')).stdout, /^[+~±-] \w+ qoder\.(?!memory_mount)/m)
})
