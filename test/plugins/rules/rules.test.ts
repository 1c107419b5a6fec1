// Every rule of every provider, with declarations that pass and declarations that do not.
import t from 'tap'
import type { Declaration, LocalSource } from '../../../core/plugin/declaration.js'
import type { ProviderRule } from '../../../core/plugin/rule.js'
import { ark } from '../../../plugins/ark/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { claude } from '../../../plugins/claude/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { declared, projectOf } from '../declared.js'
import { agents } from './agents.js'
import { agent, type Case, type Name } from './case.js'
import { deployments } from './deployments.js'
import { environments } from './environments.js'
import { forwardDelivery } from './forward-delivery.js'
import { mounts } from './mounts.js'
import { metadataOfKinds, stores } from './stores.js'
import { vaults } from './vaults.js'

const cases = [environments, vaults, stores, metadataOfKinds, agents, mounts, deployments, forwardDelivery].flat()
const providers = { ark, bailian, claude, qoder }
/** Where a provider has two APIs, the one that takes every declaration. */
const usualApi: Readonly<Partial<Record<Name, string>>> = { qoder: 'managed' }

const skillBytesMax = 50 * 1024 * 1024
const source = (written: string, sizeBytes: number): LocalSource => ({
  written,
  path: `/nowhere/${written}`,
  kind: 'folder',
  baseName: written,
  sha256: '',
  sizeBytes,
  files: [],
})
const sources = new Map([
  ['exact', source('exact', skillBytesMax)],
  ['over', source('over', skillBytesMax + 1)],
])
const values: Readonly<Record<string, string>> = { ABC: 'abc', SEMI: 'a;b' }

/** Returns the subject of a rule: the declaration, in a project with what is declared beside it. */
function subjectOf(provider: Name, { beside = {}, identity, api }: Partial<Case>, declaration: Declaration) {
  const others = Object.entries({ 'agent.helper': agent(), ...beside }).map(([address, body]) => {
    const [kind = '', name = ''] = address.split('.')
    return declared(provider, kind, name, body)
  })
  const project = {
    ...projectOf([declaration, ...others]),
    defaults: identity === undefined ? {} : { identity },
    variables: { value: (name: string) => values[name], mask: (text: string) => text },
  }
  return { declaration, project, provider, api: api ?? usualApi[provider] ?? '' }
}

function placesFound(provider: Name, rules: readonly ProviderRule[], one: Case, body: object): readonly string[] {
  const subject = subjectOf(provider, one, { ...declared(provider, one.kind, 'it', body), sources })
  return rules.flatMap(({ check }) => [...check(subject)].map(({ at }) => at.join('.')))
}

for (const [provider, { rules }] of Object.entries(providers) as [Name, typeof ark][]) {
  // They are its keys.
  const named = cases.flatMap((one) => {
    const [title, code, severity = 'error'] = one.on[provider] ?? []
    const isMeant = (rule: ProviderRule) =>
      rule.code === `${provider}.${code}` && rule.kind === one.kind && rule.severity === severity
    return title === undefined ? [] : [{ title, one, meant: rules.filter(isMeant) }]
  })

  t.test(provider, async (t) => {
    for (const title of new Set(named.map((row) => row.title)))
      t.test(title, async (t) => {
        for (const { one, meant } of named.filter((row) => row.title === title)) {
          t.not(meant.length, 0, `there is a rule ${one.on[provider]?.join(' ')} of a ${one.kind}`)
          const found = (body: object) => placesFound(provider, meant, one, body)
          for (const body of one.passes) t.strictSame(found(body), [], JSON.stringify(body).slice(0, 80))
          for (const [body, ...places] of one.fails)
            t.strictSame(found(body), places, JSON.stringify(body).slice(0, 80))
        }
      })

    t.test('every rule of the table is tried here with both outcomes, and says what to do', async (t) => {
      const tried = new Set(named.flatMap(({ one, meant }) => (one.fails.length > 0 ? meant : [])))
      t.strictSame(
        rules.filter((rule) => !tried.has(rule)).map(({ code, kind }) => `${code} ${kind}`),
        [],
      )
      for (const { code, summary, fix } of rules) {
        t.match(code, new RegExp(`^${provider}\\.[a-z-]+$`))
        t.match(summary, /^[A-Z].*[^.]$/, code)
        t.match(fix, /\.$/, code)
      }
    })
  })
}

t.test('a key that is too long as a name is found', async (t) => {
  const subject = subjectOf('qoder', {}, declared('qoder', 'environment', 'n'.repeat(256), {}))
  const found = qoder.rules.find(({ code }) => code === 'qoder.environment-name-too-long')
  t.match([...(found?.check(subject) ?? [])], [{ at: { length: 0 }, detail: /256 characters; Qoder takes 255/ }])
})
