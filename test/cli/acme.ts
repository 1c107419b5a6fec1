// The service of examples/provider-plugin for one test: a provider whose objects can be read back, reached by real HTTP.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { agentsHere } from './in-process.js'
import { root } from './program.js'
import { scratchFolder } from './scratch.js'

interface Service {
  readonly url: string
  close(): Promise<void>
}

type Members = Readonly<Record<string, unknown>>

export async function acme(t: Test) {
  const folder = scratchFolder(t)
  const path = join(root, 'examples/provider-plugin')
  const { startService }: { startService(): Promise<Service> } = await import(join(path, 'service/server.js'))
  const service = await startService()
  t.teardown(() => service.close())
  const ask = async (method: string, path: string, body?: Members): Promise<Members & { readonly id: string }> => {
    const response = await fetch(`${service.url}/acme/v1${path}`, {
      method,
      headers: { authorization: 'Bearer by-hand' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Members & { readonly id: string } // The service returns complete objects.
  }
  const providers = `version: "1"
providers:
  acme:
    plugin: ${join(path, 'index.js')}
    api_key: \${ACME_API_KEY}
    base_url: ${service.url}/acme/v1
`
  const env: Record<string, string> = { ACME_API_KEY: 'key-of-the-provider', STEWARD_ALLOW_PLUGINS: 'all' }
  return {
    folder,
    file: join(folder, 'agents.yaml'),
    /** First lines of agents.yaml. */
    providers,
    /** Environment of the program; tests add to it. */
    env,
    ask,
    write: (text: string) => writeFileSync(join(folder, 'agents.yaml'), text),
    run: (...words: readonly string[]) => agentsHere(words, { folder, env }),
  }
}

/** Account with objects created by hand, one of each kind. */
export async function furnish(ask: Awaited<ReturnType<typeof acme>>['ask']) {
  const environment = await ask('POST', '/environments', {
    name: 'Work shop',
    runtime: 'cloud',
    packages: ['npm:prettier'],
  })
  const vault = await ask('POST', '/vaults', { name: 'keys' })
  await ask('POST', `/vaults/${vault.id}/credentials`, {
    name: 'issues',
    url: 'https://i.example.com',
    token: 'hidden',
  })
  const agent = await ask('POST', '/agents', {
    name: 'reviewer',
    description: 'Costs ${PRICE}',
    model: 'acme-large',
    system: 'Review.\nTwice.\n',
    environment_id: environment.id,
    vault_id: vault.id,
    tools: ['read'],
  })
  return { environment: environment.id, vault: vault.id, agent: agent.id }
}
