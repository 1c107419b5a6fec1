// Signing in to Claude without an API key: a bearer token, and the identity token of a workload.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const assertion = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJjaSJ9.c2lnbmF0dXJl'

const identity = `
    workload_identity:
      token_file: \${ANTHROPIC_IDENTITY_TOKEN_FILE}
      federation_rule_id: \${ANTHROPIC_FEDERATION_RULE_ID}
      organization_id: \${ANTHROPIC_ORGANIZATION_ID}
      workspace_id: \${ANTHROPIC_WORKSPACE_ID:-}`

const resources = `
environments:
  desk: { config: { type: cloud } }
agents:
  helper: { model: claude-opus-5, instructions: Help., environment: desk }
memory_stores:
  wiki: { description: What is known }
`

async function project(t: Test, block: string) {
  const folder = scratchFolder(t)
  const write = (text: string) =>
    writeFileSync(join(folder, 'agents.yaml'), `version: "1"\nproviders:\n  claude:${text}\n${resources}`)
  write(block)
  writeFileSync(join(folder, 'ci.jwt'), `${assertion}\n`)
  const emulator = await emulate(t)
  const env = {
    ...emulator.env,
    ANTHROPIC_IDENTITY_TOKEN_FILE: 'ci.jwt',
    ANTHROPIC_FEDERATION_RULE_ID: 'fdrl_01',
    ANTHROPIC_ORGANIZATION_ID: 'org_01',
    ANTHROPIC_AUTH_TOKEN: 'token-of-the-proxy',
  }
  const shown: string[] = []
  const run = async (...words: readonly string[]) => {
    const ran = await agentsHere(words, { folder, env })
    shown.push(ran.stdout, ran.stderr)
    return ran
  }
  const exchanges = async () => (await emulator.requests()).filter(({ path }) => path.endsWith('/oauth/token')).length
  return { folder, emulator, run, write, shown, exchanges }
}

t.test('a workload signs in with its token, renews what has expired, and leaves no secret anywhere', async (t) => {
  const { folder, emulator, run, shown, exchanges } = await project(t, identity)
  t.equal((await run('validate')).code, 0)
  const applied = await run('apply', '--yes', '--verbose')
  t.equal(applied.code, 0, applied.stderr)
  t.equal(await exchanges(), 2, 'the plan and its execution sign in once each')
  const sent = (await emulator.requests()).filter(({ path }) => !path.endsWith('/oauth/token'))
  t.ok(sent.length > 0)
  for (const { path, headers } of sent) {
    t.equal(headers['x-api-key'], undefined)
    t.ok(headers['authorization'], path)
    t.match(headers['anthropic-beta'], /,oauth-2025-04-20$/)
  }

  await emulator.knobs({ hold: { write: 1, when: 'before' } })
  const file = join(folder, 'agents.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Help.', 'Help well.'))
  const changing = run('apply', '--yes')
  await emulator.held()
  await emulator.knobs({ claude: { signIns: 'second' } })
  t.equal((await changing).code, 0, 'the token was accepted before the write was held')
  await emulator.knobs({ claude: { signIns: 'third' } })
  t.match((await run('plan')).stdout, 'No changes.')
  t.notMatch([...shown, readFileSync(join(folder, 'agents.state.json'), 'utf8')].join(''), assertion)
  t.notMatch([...shown, readFileSync(join(folder, 'agents.state.json'), 'utf8')].join(''), 'sk-ant-oat01')
})

t.test('an identity token that cannot be used is told before anything is sent', async (t) => {
  const { folder, emulator, run } = await project(t, identity)
  const cases: readonly (readonly [text: string, detail: string | RegExp])[] = [
    [' \n', /The identity token in \S+ is empty\./],
    ['a b', 'is no token'],
    ['x'.repeat(16_385), 'has 16385 characters; the service takes 16384'],
  ]
  for (const [text, detail] of cases) {
    writeFileSync(join(folder, 'ci.jwt'), text)
    const { code, stdout, stderr } = await run('plan')
    t.equal(code, 1)
    t.match(stdout + stderr, 'claude.identity-token')
    t.match(stdout + stderr, detail)
  }
  t.same(await emulator.requests(), [])
  rmSync(join(folder, 'ci.jwt'))
  t.equal((await run('plan')).code, 0, 'an emulator needs no token, as it needs no key')
})

t.test('auth_token is sent as a bearer token; exactly one way to sign in is given', async (t) => {
  const { emulator, run, write, shown } = await project(t, ' { auth_token: "${ANTHROPIC_AUTH_TOKEN}" }')
  const applied = await run('apply', '--yes')
  t.equal(applied.code, 0, applied.stderr)
  for (const { headers } of await emulator.requests()) {
    t.equal(headers['x-api-key'], undefined)
    t.ok(headers['authorization'])
    t.notMatch(headers['anthropic-beta'], 'oauth')
  }
  t.notMatch(shown.join(''), 'token-of-the-proxy')

  write(' { api_key: "${KEY}", auth_token: "${ANTHROPIC_AUTH_TOKEN}" }')
  const both = (await run('validate')).stdout
  t.match(both, '[declaration.refused-key]')
  t.match(both, 'Exactly one of these is needed: api_key, auth_token or workload_identity. api_key is there.')
  t.match(both, 'Fix: Remove auth_token, or api_key.')
  write(' { beta: other }')
  const none = (await run('validate')).stdout
  t.match(none, '[declaration.missing-key]')
  t.match(none, 'Fix: Add api_key, auth_token or workload_identity.')
  write(' { auth_tokne: "${ANTHROPIC_AUTH_TOKEN}" }')
  const misspelt = (await run('validate')).stdout
  t.match(misspelt, 'Did you mean "auth_token"?')
  t.notMatch(misspelt, 'missing-key')
  write(' { auth_token: "${ANTHROPIC_AUTH_TOKEN}", auth: bearer }')
  t.match(
    (await run('validate')).stdout,
    /:\d+:\d+: error: .*\[declaration\.refused-key\][\s\S]*auth has a meaning beside api_key/,
  )
})
