// Files that commands write: never through a link or into a file that lies beside the named one, and readable by their owner only.
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runServer } from '../server/support/running-server.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const server = await runServer(t)
const id = await server.upload(onePage(''))

/** A folder with a file of the user, and links to it under these names. */
function folderWithLinks(t: Test, ...names: readonly string[]) {
  const folder = scratchFolder(t)
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'VICTIM')
  for (const name of names) symlinkSync(victim, join(folder, name))
  return { folder, victim: () => readFileSync(victim, 'utf8') }
}

for (const [command, name] of [
  [['download', id], 'out.pdf'],
  [['render', id], 'out.png'],
  [['export-annotations', id], 'out.xfdf'],
  [['form-values', id], 'out.json'],
] as const)
  t.test(`documents ${command[0]} writes a file of its own, for its owner only`, async (t) => {
    const { folder, victim } = folderWithLinks(t, name, `${name}.part`)
    const env = { STEWARD_URL: server.url, STEWARD_API_TOKEN: server.apiToken }
    const run = await agentsHere(['documents', ...command, '--tenant', 'acme', '--out', name], { folder, env })
    t.equal(run.code, 0, run.stderr)
    t.equal(victim(), 'VICTIM')
    t.ok(lstatSync(join(folder, name)).isFile())
    t.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
    t.strictSame(readdirSync(folder).sort(), [name, `${name}.part`, 'victim'].sort())
  })

async function project(t: Test, ...links: readonly string[]) {
  const { folder, victim } = folderWithLinks(t, ...links)
  writeFileSync(
    join(folder, 'agents.yaml'),
    'version: "1"\nproviders: { claude: { api_key: "${KEY}" } }\nenvironments: { e: { config: { type: cloud } } }\n',
  )
  const emulator = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'any' } })
  return { folder, victim, run }
}

t.test('a plan replaces only an older plan, whatever lies beside it', async (t) => {
  const { folder, victim, run } = await project(t, 'plan.json.unfinished')
  for (let count = 0; count < 2; count++) {
    const planned = await run('plan', '--out', 'plan.json')
    t.equal(planned.code, 0, planned.stderr)
    t.ok(lstatSync(join(folder, 'plan.json')).isFile())
    t.equal(statSync(join(folder, 'plan.json')).mode & 0o777, 0o600)
  }
  t.equal(victim(), 'VICTIM')
  t.ok(lstatSync(join(folder, 'plan.json.unfinished')).isSymbolicLink(), 'a file of somebody else stays')
  t.strictSame(
    readdirSync(folder).filter((name) => name.endsWith('unfinished')),
    ['plan.json.unfinished'],
  )
})

t.test('the journal is not written through a link, also not one that leads nowhere', async (t) => {
  const { folder, run } = await project(t)
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'agents.state.journal'))
  const applied = await run('apply', '--yes', '--json')
  t.equal(applied.code, 1)
  t.match(applied.stdout, /state\.disk-failed[^\n]*symbolic link/)
  t.notOk(existsSync(join(folder, 'elsewhere')))
  t.notMatch(applied.stdout, /"status":"done"/)
})
