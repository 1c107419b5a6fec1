// `agents emulate` as a process: start, environment of the child, and exit codes.
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { agents, scratchFolder, start } from './program.js'

/** The first line on stdout. */
function firstLine({ child, seen, ended }: ReturnType<typeof start>): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const end = seen.stdout.indexOf('\n')
      if (end >= 0) resolve(seen.stdout.slice(0, end))
    }
    child.stdout?.on('data', look)
    void ended.then((run) => reject(new Error(`ended with ${run.code}: ${run.stderr}`)))
  })
}

t.test(
  'with --json the first line is {"url": …}, and SIGTERM or SIGINT ends it with 0 and nothing left listening',
  async (t) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const running = start(['emulate', '--port', '0', '--json'], { folder: scratchFolder(t) })
      const { url } = JSON.parse(await firstLine(running))
      t.ok(Array.isArray(await objectsAt(url)))
      running.child.kill(signal)
      const { code } = await running.ended
      t.equal(code, 0, signal)
      t.equal(await answers(Number(new URL(url).port)), false)
    }
  },
)

t.test('a command gets STEWARD_EMULATOR and stdout, and its exit code is returned', async (t) => {
  const folder = scratchFolder(t)
  const script = 'console.log(process.env.STEWARD_EMULATOR); process.exit(7)'
  const { code, stdout, stderr } = await agents(['emulate', '--', process.execPath, '-e', script], { folder })
  t.equal(code, 7)
  t.match(stdout, /^http:\/\/127\.0\.0\.1:\d+\n$/)
  t.match(stderr, 'Emulating all providers on')
})

t.test('signals are passed on to the command; if a signal ends it, the exit code is 128 plus its number', async (t) => {
  const folder = scratchFolder(t)
  const script = "console.log('ready'); setInterval(() => {}, 1000)"
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    const running = start(['emulate', '--', process.execPath, '-e', script], { folder })
    t.equal(await firstLine(running), 'ready')
    running.child.kill(signal)
    t.equal((await running.ended).code, code)
  }
})

t.test('an unknown command is reported, exit code 64', async (t) => {
  const { code, stderr } = await agents(['emulate', '--', 'no-such-program'], { folder: scratchFolder(t) })
  t.equal(code, 64)
  t.match(stderr, '[cli.command-not-started]')
})

t.test('a port in use is an error with a fix', async (t) => {
  const folder = scratchFolder(t)
  const first = start(['emulate', '--port', '0', '--json'], { folder })
  const { url } = JSON.parse(await firstLine(first))
  const { code, stderr } = await agents(['emulate', '--port', new URL(url).port], { folder })
  t.equal(code, 1)
  t.match(stderr, 'EADDRINUSE')
  t.match(stderr, '--port')
  first.child.kill('SIGTERM')
  await first.ended
})

t.test('--data stores every object between runs', async (t) => {
  const folder = scratchFolder(t)
  const words = ['emulate', '--port', '0', '--json', '--data', 'kept']
  const first = start(words, { folder })
  const made = await ask(JSON.parse(await firstLine(first)).url, {
    provider: 'qoder',
    kind: 'environment',
    body: { name: 'kept', config: { type: 'cloud' } },
  })
  t.equal(made, 201)
  first.child.kill('SIGTERM')
  await first.ended
  t.ok(existsSync(join(folder, 'kept')))
  const second = start(words, { folder })
  const { url } = JSON.parse(await firstLine(second))
  t.ok((await objectsAt(url)).some(({ name }) => name === 'kept'))
  second.child.kill('SIGTERM')
  await second.ended
})

async function objectsAt(url: string): Promise<readonly { readonly name: string }[]> {
  const response = await fetch(`${url}/_emulator/objects`)
  const { objects } = (await response.json()) as { readonly objects: readonly { readonly name: string }[] }
  return objects
}

async function ask(url: string, seed: unknown): Promise<number> {
  const { status } = await fetch(`${url}/_emulator/objects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(seed),
  })
  return status
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

t.test('a stored account that was cut off is an error that names the file', async (t) => {
  const folder = scratchFolder(t)
  writeFileSync(join(folder, 'claude.json'), '{"ob')
  const { code, stderr } = await agents(['emulate', '--port', '0', '--data', '.'], { folder })
  t.equal(code, 1)
  t.match(stderr, /\[cli\.emulator-data\][\s\S]*claude\.json/)
})

t.test('one emulator at a time stores its objects in a folder, also after one was killed', async (t) => {
  const folder = scratchFolder(t)
  const emulate = (...command: string[]) => ['emulate', '--port', '0', '--data', 'data', ...command]
  const first = start(emulate(), { folder })
  await firstLine(first)
  const { code, stderr } = await agents(emulate('--', process.execPath, '-e', '0'), { folder })
  t.equal(code, 1)
  t.match(stderr, /\[cli\.emulator-folder-in-use\][\s\S]*emulator\.lock/)
  first.child.kill('SIGKILL')
  await first.ended
  t.equal((await agents(emulate('--', process.execPath, '-e', '0'), { folder })).code, 0)
  t.notOk(existsSync(join(folder, 'data', 'emulator.lock')))
})
