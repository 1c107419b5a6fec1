// The suite is only worth what it finds: mistakes that authors of plugins make, put into the example one by one. Each
// must turn a stage red. Mistakes that the engine makes harmless by itself are not here.
import { join } from 'node:path'
import type { Handler, Parts, Provider, Subject } from 'steward/plugin'
import t from 'tap'
import { root } from '../cli/program.js'
import { isLong, longTimeoutMs, seed } from '../support/sample.js'
import { claudeSubject } from './subjects/claude.js'

const { kinds } = await import('steward/kinds')
const { conformance } = await import('steward/plugin')

const example = join(root, 'examples/provider-plugin')
const { default: acme }: { readonly default: Provider } = await import(join(example, 'index.js'))
const { subject }: { readonly subject: Omit<Subject, 'provider' | 'kinds'> } = await import(
  join(example, 'test/subject.js')
)

type Fault = (provider: Provider) => Provider

const faults: Readonly<Record<string, Fault>> = {
  'a scalar that is cleared stays': inHandler('environment', without('description')),
  'a list that is cleared stays': inHandler('agent', without('tools')),
  'a reference that is cleared stays': inHandler('agent', without('vault_id')),
  'an update ignores a member': inHandler('agent', without('system')),
  'a map is never updated': inHandler('environment', without('metadata')),
  'a secret map that is cleared stays': inHandler('environment', (handler) => ({
    ...without('metadata')(handler),
    fields: { ...handler.fields, metadata: { secret: true, writeOnly: true, map: 'replace' } },
    observed: (remote) => ({ ...handler.observed(remote), metadata: undefined }),
  })),
  'a new secret is not sent': inParts((parts) => ({
    ...parts,
    update: async (call, parent, { id }) =>
      (await every(parts.list(call, parent))).find((one) => parts.id(one) === id) ?? {},
  })),
  'the emulator is ignored': (provider) => ({
    ...provider,
    connect: (configuration, { emulatorUrl: _ignored, ...environment }) => provider.connect(configuration, environment),
  }),
  'a version counts as content': inHandler('agent', (handler) => ({
    ...handler,
    observed: (remote) => ({ ...handler.observed(remote), version: remote['version'] }),
  })),
  'in use is called invalid': classifying('in_use', 'invalid'),
  'a taken name is called stale': classifying('name_taken', 'stale'),
  'a conflict of versions is called temporary': classifying('version_conflict', 'retry'),
  'a conflict of versions is called invalid': classifying('version_conflict', 'invalid'),
  'what is missing is called invalid': classifying('not_found', 'invalid'),
  'removing does nothing': inHandler('agent', (handler) => ({ ...handler, remove: async () => {} })),
  'a part is never removed': inParts((parts) => ({ ...parts, remove: async () => {} })),
  'a create is repeated blindly': inHandler('agent', (handler) => ({ ...handler, lostCreate: { by: 'key' } })),
  'a name is left out': inHandler('agent', (handler) => ({
    ...handler,
    create: (call, request) => handler.create(call, { ...request, desired: { ...request.desired, name: 'agent' } }),
  })),
  'a description is not created': inHandler('agent', (handler) => ({
    ...handler,
    create: (call, request) => {
      const { description: _left, ...desired } = request.desired
      return handler.create(call, { ...request, desired })
    },
  })),
  'nothing can be found again': inHandler('vault', (handler) => ({ ...handler, createdAtMs: () => 0 })),
  'an object that is gone is an error': inHandler('agent', (handler) => ({
    ...handler,
    read: async (call, id) => (await every(handler.list?.(call) ?? [])).find((one) => one['id'] === id) ?? { id },
  })),
  'a reference depends on nothing': inHandler('agent', (handler) => ({
    ...handler,
    desired: (declaration, scope) => ({ ...handler.desired(declaration, scope), environment_id: 'environment_1' }),
  })),
}

// Whole, it takes minutes: each fault is a run of the suite up to the first stage that is red.
const names = Object.keys(faults)
const sampleSize = 6
const chosen = isLong
  ? names
  : Array.from({ length: sampleSize }, (_, index) => names[(seed + index * 7) % names.length])

for (const name of new Set(chosen)) {
  const seeded = faults[name ?? '']?.(acme)
  if (!seeded) throw new Error(`${name} is no fault`)
  t.test(`the suite notices that ${name}`, { timeout: longTimeoutMs }, async (t) => {
    const red: string[] = []
    const runner = {
      test: async (title: string, run: () => Promise<void>) => {
        if (red.length > 0) return
        await run().catch(() => red.push(title))
      },
    }
    await conformance(runner, { ...subject, provider: seeded, kinds, sample: { size: 1, seed: 1 } })
    t.not(red.length, 0, `${name}: no stage is red`)
    t.comment(red[0] ?? '')
  })
}

t.test('the suite notices that the new content of an upload is not sent', async (t) => {
  const red: string[] = []
  const runner = {
    test: async (title: string, run: () => Promise<void>) => {
      if (title.includes('an apply brings it about')) await run().catch((error) => red.push(String(error)))
    },
  }
  const ignores = inHandler('skill', (handler) => ({ ...handler, update: (call, { id }) => handler.read(call, id) }))
  await conformance(runner, { ...claudeSubject, provider: ignores(claudeSubject.provider) })
  t.match(red.join(), /claude\.skill\.\w+: partial, .*apply\.not-taken: Not taken by the provider: source/)
})

function inHandler(kind: string, change: (handler: Handler) => Handler): Fault {
  return (provider) => ({
    ...provider,
    handlers: provider.handlers.map((one) => (one.kind === kind ? change(one) : one)),
  })
}

function inParts(change: (parts: Parts<unknown, never>) => Parts<unknown, never>): Fault {
  return inHandler('vault', (handler) =>
    handler.parts ? { ...handler, parts: change(handler.parts as never) as never } : handler,
  )
}

/** Updates leave the member out. */
function without(member: string): (handler: Handler) => Handler {
  return (handler) => ({
    ...handler,
    update: async (call, request) => {
      const changes = request.changes.filter(({ path }) => path.split('/')[0] !== member)
      if (changes.length === 0 || !handler.update) return request.remote
      return handler.update(call, { ...request, changes })
    },
  })
}

function classifying(code: string, wrong: 'invalid' | 'stale' | 'retry'): Fault {
  return (provider) => ({
    ...provider,
    connect: (configuration, environment) => {
      const client = provider.connect(configuration, environment)
      const options = Reflect.get(Object(client), 'options')
      const classify: Provider['classify'] = (response) => {
        const right = provider.classify(response)
        return right.code === code ? { ...right, class: wrong } : right
      }
      return Reflect.construct(Object(client).constructor, [{ ...options, classify }])
    },
  })
}

async function every<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
