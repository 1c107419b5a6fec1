// docs/embedding.md: its programs run as they stand on the page, and it lists every exported name and no other.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { agents, root, scratchFolder } from '../cli/program.js'

const page = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
const manifest: { readonly exports: Readonly<Record<string, { readonly types: string } | string>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

type Scratch = Parameters<typeof scratchFolder>[0]

/** Types of the entry points are built from files of the same path. */
const entryPoints = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string'
    ? []
    : [
        {
          name: `steward${path.slice(1)}`,
          source: target.types.replace(/^\.\/dist\/types\//, '').replace(/\.d\.ts$/, '.ts'),
        },
      ],
)

for (const { name, source } of entryPoints) {
  t.test(`${name} exports by name exactly what the page lists`, async (t) => {
    const exported = exportsIn(readFileSync(join(root, source), 'utf8'))
    t.same(exported.all, listedNames(name))
    const module: object = await import(name)
    t.same(Object.keys(module).sort(), exported.values, 'the built module exports the values')
    t.match(sectionOf('# Embedding Steward', '## '), `\`${name}\``, 'the page introduces it')
  })
}

t.test('the program that embeds the engine applies a declaration', async (t) => {
  const folder = folderOf(t, 'The engine')
  const { code, stdout } = await agents(['emulate', '--', process.execPath, 'engine.mjs'], { folder })
  t.equal(code, 0)
  t.match(stdout, 'plan: create qoder.environment.base\nplan: create qoder.agent.helper\n')
  t.match(stdout, 'done: qoder.environment.base\ndone: qoder.agent.helper\n')
  t.match(stdout, /^[1-9]\d* requests$/m)
})

t.test(
  'the plugin creates, keeps, updates and removes an environment, and survives a restart of its service',
  async (t) => {
    const folder = folderOf(t, 'A plugin')
    const started = async (port: string) => {
      const stdio = ['ignore', 'pipe', 'inherit'] as const
      const service = spawn(process.execPath, ['service.mjs'], { cwd: folder, stdio: [...stdio], env: { PORT: port } })
      t.teardown(() => service.kill())
      const [url] = await once(service.stdout, 'data')
      return { service, url: String(url).trim() }
    }
    const first = await started('0')
    const env = { ROOMS_URL: first.url, ROOMS_KEY: 'any' }
    const run = async (...words: string[]) => (await agents(words, { folder, env })).code
    t.equal(await run('plugins', 'allow', '--yes'), 0)
    t.equal(await run('apply', '--yes'), 0)
    t.equal(await run('plan', '--detailed-exitcode'), 0, 'planned again, nothing is to be done')
    const file = join(folder, 'agents.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('description: ', 'description: Changed. '))
    t.equal(await run('plan', '--detailed-exitcode'), 2)
    t.equal(await run('apply', '--yes'), 0)

    first.service.kill()
    await once(first.service, 'exit')
    await started(new URL(first.url).port)
    const plan = await agents(['plan', '--detailed-exitcode'], { folder, env })
    t.match(plan, { code: 2, stdout: /create rooms\.environment\.base.*no longer/ }, 'the service forgets its rooms')
    t.equal(await run('apply', '--yes'), 0)
    t.equal(await run('plan', '--detailed-exitcode'), 0)
    t.equal(await run('destroy', '--yes'), 0)
  },
)

t.test('the programs that embed the document server answer requests and end', async (t) => {
  const folder = folderOf(t, 'The document server')
  t.same(await output(folder, 'serve.mjs'), ['200'])
  t.same(await output(folder, 'server.mjs'), ["{ hello: 'world' }", '200', '401'])
})

t.test('the built-in parts pass the suites of the ports', async (t) => {
  const lines = await output(folderOf(t, 'Another store'), 'stores.mjs')
  t.same(
    lines.filter((line) => /^(not )?ok/.test(line)).map((line) => line.replace(/ #.*/, '')),
    ['ok 1 - store', 'ok 2 - leases', 'ok 3 - bus'],
  )
})

/** The files of a section, in a folder in which the packages of this one are installed. */
function folderOf(t: Scratch, section: string): string {
  const folder = scratchFolder(t)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const files = sectionOf(`## ${section}`, '## ').matchAll(/^```\w+\n(?:\/\/|#) ([\w.]+)\n([\s\S]*?)^```$/gm)
  for (const [, name = '', content = ''] of files) writeFileSync(join(folder, name), content)
  return folder
}

/** Lines on stdout of a program that ends with 0. */
async function output(folder: string, program: string): Promise<readonly string[]> {
  const env = { PATH: process.env['PATH'], HOME: folder, STEWARD_SERVE_LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${stdout}`)
  return stdout.trimEnd().split('\n')
}

/** Returns the text from a heading to the next one of the level. */
function sectionOf(heading: string, level: string): string {
  const [, text = ''] = page.split(`${heading}\n`)
  return text.split(`\n${level}`)[0] ?? ''
}

function listedNames(entryPoint: string): readonly string[] {
  const rows = sectionOf(`### \`${entryPoint}\``, '### ').matchAll(/^\|[^|]*\|[^|]*\|([^|]*)\|$/gm)
  return [...rows].flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)).sort()
}

/** Names that a module of re-exports exports; throws for `export *`, which exports whatever a file happens to have. */
function exportsIn(source: string): { readonly all: readonly string[]; readonly values: readonly string[] } {
  if (/^export \*/m.test(source)) throw new Error('An entry point exports by name')
  const lists = [...source.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, isType, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => ({ name: name.replace(/^type /, ''), isValue: !isType && !name.startsWith('type ') })),
  )
  const own = [...source.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => ({ name, isValue: true }))
  const all = [...lists, ...own]
  const sorted = (some: typeof all) => some.map(({ name }) => name).sort()
  return { all: sorted(all), values: sorted(all.filter(({ isValue }) => isValue)) }
}
