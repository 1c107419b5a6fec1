// `state show --live` shows the current object at the provider, without secrets.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { secretEnv, writeProject } from './projects.js'
import { records, scratchFolder } from './scratch.js'

t.test('state show --live shows every value that the provider has, secrets masked', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const all = { ...emulator.env, ...secretEnv, QODER_PAT: 'x', WORD: 'hidden-word' }
  const run = (words: string, env: Readonly<Record<string, string>> = all) =>
    agentsHere(words.split(' '), { folder, env })
  writeProject(folder, { description: '"Says ${WORD}"' })
  t.equal((await run('apply --yes')).code, 0)
  const agent = (await emulator.objects()).find(({ kind }) => kind === 'agent')
  await emulator.patch(agent?.id ?? '', { system: 'Changed.\nBy hand.\n' })
  const count = (await emulator.requests()).length

  const plain = await run('state show qoder.agent.helper')
  t.equal((await emulator.requests()).length, count, 'without --live, no request is sent')
  t.notMatch(plain.stdout, 'By hand')

  const { code, stdout } = await run('state show qoder.agent.helper --live')
  t.equal(code, 0)
  t.match(stdout, /instructions:\n {4}Changed\.\n {4}By hand\./)
  t.match(stdout, /description: \(sensitive\)/)
  for (const shown of [plain.stdout, stdout])
    t.match(shown, 'metadata["agents.project"]', 'a key with a dot is told from two keys')
  t.match((await run('state show qoder.vault.keys --live')).stdout, 'credentials')
  const { WORD: _, ...without } = all
  for (const address of ['qoder.agent.helper', 'qoder.vault.keys', 'qoder.environment.base'])
    for (const env of [all, without]) {
      const shown = await run(`state show ${address} --live --json`, env)
      t.notMatch(shown.stdout + shown.stderr, /hidden-word|s3cret/, `${address}: no secret, with and without variables`)
      const live = records(shown.stdout).find(({ type }) => type === 'live')
      t.match(live, { address, state: 'present', leaves: [{ path: String, label: String, value: { type: String } }] })
    }

  await emulator.remove(agent?.id ?? '')
  const gone = await run('state show qoder.agent.helper --live')
  t.equal(gone.code, 1)
  t.match(gone.stdout, 'does not have the object any more')
  const state = readFileSync(join(folder, 'agents.state.json'), 'utf8')
  writeFileSync(join(folder, 'agents.yaml'), 'version: "1"\nproviders: { qoder: { api_key: "${QODER_PAT}" } }\n')
  t.equal((await run('state show qoder.environment.base --live')).code, 0, 'no declaration is needed')
  t.equal(readFileSync(join(folder, 'agents.state.json'), 'utf8'), state, 'nothing is written')
})
