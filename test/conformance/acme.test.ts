// The example of a third-party provider: the conformance suite as run by its author, and agents.yaml files that refer to it.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Provider, Subject } from 'steward/plugin'
import t from 'tap'
import { agents, root, scratchFolder } from '../cli/program.js'
import { sampleOf } from '../support/sample.js'

// Imported after the build, because these modules are part of it.
const { kinds } = await import('steward/kinds')
const { conformance } = await import('steward/plugin')

const example = join(root, 'examples/provider-plugin')

const { default: acme }: { readonly default: Provider } = await import(join(example, 'index.js'))
const { subject }: { readonly subject: Omit<Subject, 'provider' | 'kinds'> } = await import(
  join(example, 'test/subject.js')
)
const { startService }: { startService(): Promise<Service> } = await import(join(example, 'service/server.js'))

interface Service {
  readonly url: string
  objects(): Promise<readonly { readonly kind: string }[]>
  close(): Promise<void>
}

await conformance(t, { ...subject, provider: acme, kinds, ...sampleOf(2) })

for (const [how, specifier] of [
  ['a package installed beside agents.yaml', 'agents-provider-acme'],
  ['a path', './vendor/index.js'],
] as const)
  t.test(`agents.yaml may refer to a provider by ${how}`, async (t) => {
    const service = await startService()
    t.teardown(() => service.close())
    const folder = scratchFolder(t)
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(example, join(folder, 'node_modules/agents-provider-acme'))
    symlinkSync(example, join(folder, 'vendor'))
    const text = subject.project.text.replace('  acme:\n', `  acme:\n    plugin: ${specifier}\n`)
    writeFileSync(join(folder, 'agents.yaml'), text)
    for (const [path, content] of Object.entries(subject.project.files ?? {})) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const env = { ...subject.variables, ACME_URL: `${service.url}/acme/v1` }
    const run = (...words: string[]) => agents(words, { folder, env })
    t.match(await run('apply', '--yes'), { code: 1, stderr: /provider\.plugin-not-allowed/ })
    t.same(await service.objects(), [])
    t.hasStrict(await run('plugins', 'allow', '--yes'), { code: 0 })
    t.hasStrict(await run('apply', '--yes'), { code: 0 })
    t.same((await service.objects()).map(({ kind }) => kind).sort(), [
      'agent',
      'agent',
      'environment',
      'skill',
      'skill',
      'vault',
      'webhook',
    ])
    t.hasStrict(await run('plan', '--detailed-exitcode'), { code: 0 })
    t.hasStrict(await run('destroy', '--yes'), { code: 0 })
    t.same(await service.objects(), [])
  })
