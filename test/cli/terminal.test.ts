// Behaviour on a terminal: questions and colours.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { onTerminal } from './on-terminal.js'
import { scratchFolder } from './program.js'
import { secretEnv, writeProject } from './projects.js'

t.test('apply asks before it changes anything, names the account it reaches, and accepts only yes', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects } = await emulate(t)
  writeProject(folder)
  const options = { folder, env: { ...env, ...secretEnv } }
  const refused = await onTerminal(['apply'], { ...options, answers: [['Go on?', 'y\r']] })
  t.equal(refused.code, 1, 'a refused apply does not end with 0')
  t.match(refused.screen, '3 changes in')
  t.match(refused.screen, 'account emulator')
  t.match(refused.screen, 'Nothing was changed.')
  t.same(await objects(), [])
  const agreed = await onTerminal(['apply'], { ...options, answers: [['Go on?', 'yes\r']] })
  t.equal(agreed.code, 0)
  t.match(agreed.screen, '\u001b[32m✓\u001b[0m created')
  t.equal((await objects()).length, 3)
})

t.test('destroy counts what is deleted; Ctrl-C at the question is an interruption', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects } = await emulate(t)
  writeProject(folder)
  const options = { folder, env: { ...env, ...secretEnv } }
  t.equal((await onTerminal(['apply', '--yes'], { ...options, answers: [] })).code, 0)
  const left = await onTerminal(['destroy'], { ...options, answers: [['Go on?', '\u0003']] })
  t.equal(left.code, 130)
  t.match(left.screen, '3 objects are deleted.')
  t.equal((await objects()).length, 3)
  const done = await onTerminal(['destroy'], { ...options, answers: [['Go on?', 'yes\r']] })
  t.equal(done.code, 0)
  t.same(await objects(), [])
})

t.test('NO_COLOR is honoured on a terminal', async (t) => {
  const folder = scratchFolder(t)
  const coloured = await onTerminal(['--help'], { folder, env: {}, answers: [] })
  t.match(coloured.screen, '\u001b[1m')
  const plain = await onTerminal(['--help'], { folder, env: { NO_COLOR: '1' }, answers: [] })
  t.notMatch(plain.screen, '\u001b')
})

t.test('init asks for provider and name, and asks again after an invalid answer', async (t) => {
  const folder = scratchFolder(t)
  const { code, screen } = await onTerminal(['init'], {
    folder,
    env: {},
    answers: [
      ['Provider (', 'cluade\r'],
      ['Provider (', 'claude\r'],
      ['Name of the first agent', '1st\r'],
      ['Name of the first agent', 'guide\r'],
    ],
  })
  t.equal(code, 0)
  t.match(screen, 'Did you mean claude?')
  t.match(screen, 'cannot be the name of an agent')
  t.match(screen, 'ANTHROPIC_API_KEY')
})

t.test('a document server shows its API token on a terminal, and only when it was just created', async (t) => {
  const folder = scratchFolder(t)
  // Ctrl-C as typed on a keyboard.
  const options = { folder, env: {}, answers: [['/docs', '\u0003']] as const }
  const words = ['serve', '--port', '0', '--threads', '1', '--log-level', 'silent']
  const first = await onTerminal(words, options)
  const { apiToken } = JSON.parse(readFileSync(join(folder, 'steward-data/secrets.json'), 'utf8'))
  t.notOk(existsSync(join(folder, 'steward-data/server.json')), 'the server was closed, not killed')
  t.match(first.screen, `API token  ${apiToken}`)
  const second = await onTerminal(words, options)
  t.notMatch(second.screen, apiToken)
  t.match(second.screen, /API token {2}in .*steward-data\/secrets\.json/)
  const given = await onTerminal(words, { ...options, env: { STEWARD_API_TOKEN: 'a-token-of-the-operator' } })
  t.notMatch(given.screen, 'a-token-of-the-operator')
  t.match(given.screen, 'STEWARD_API_TOKEN')
})
