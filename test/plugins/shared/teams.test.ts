// Coordinators and deployments on each service, through the engine (agent configuration 2.15, 2.16).
import t, { type Test } from 'tap'
import { expectDone, expectNothingLeft, expectSettled } from '../../../core/conformance/expect.js'
import type { Subject, Version } from '../../../core/conformance/subject.js'
import { refusalOf, World } from '../../../core/conformance/world.js'
import type { Provider } from '../../../core/plugin/provider.js'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { arkEmulator } from '../../../plugins/ark/emulator/index.js'
import { ark } from '../../../plugins/ark/index.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { claudeEmulator } from '../../../plugins/claude/emulator/index.js'
import { claude } from '../../../plugins/claude/index.js'
import type { EmulatedProvider } from '../../../plugins/emulator/contract.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { emulatedWith } from '../../support/emulated.js'

interface Service {
  readonly title: string
  readonly provider: Provider
  readonly emulator: EmulatedProvider
  readonly model: string
  readonly isForward?: true
  /** The service pins members as they are when the coordinator is saved, so that a later version needs another save. */
  readonly pinsMembers: boolean
  /** Value in place of a roster. */
  readonly cleared: Json
}

const services: readonly Service[] = [
  {
    title: 'bailian',
    provider: bailian,
    emulator: bailianEmulator,
    model: 'qwen3.7-plus',
    pinsMembers: false,
    cleared: [],
  },
  { title: 'qoder', provider: qoder, emulator: qoderEmulator, model: 'auto', pinsMembers: true, cleared: null },
  {
    title: 'qoder, forward',
    provider: qoder,
    emulator: qoderEmulator,
    model: 'auto',
    isForward: true,
    pinsMembers: false,
    cleared: null,
  },
  {
    title: 'claude',
    provider: claude,
    emulator: claudeEmulator,
    model: 'claude-sonnet-4-5',
    pinsMembers: true,
    cleared: null,
  },
  {
    title: 'ark',
    provider: ark,
    emulator: arkEmulator,
    model: 'doubao-seed-2-1-pro-260628',
    pinsMembers: false,
    cleared: null,
  },
]
const outside = 'agent_outside'

interface Texts {
  readonly member?: string
  readonly roster?: string
  readonly deployment?: string
}

function versionFor({ provider, model, isForward }: Service, { member = 'Read.', roster, deployment }: Texts): Version {
  const forward = isForward ? '    delivery: { qoder: { type: forward } }\n' : ''
  const workspace = provider === bailian ? ', workspace_id: ws-1' : ''
  const agent = (name: string, instructions: string, more = '') =>
    `  ${name}:\n    model: ${model}\n    instructions: ${instructions}\n    environment: room\n${forward}${more}`
  return {
    text: `version: "1"
providers:
  ${provider.name}: { api_key: "\${KEY}"${workspace} }
environments:
  room: { config: { type: cloud } }
agents:
${agent('reader', member)}${agent('lead', 'Share.', roster && `    multiagent: { type: coordinator, agents: [${roster}] }\n`)}${
  deployment === undefined
    ? ''
    : `deployments:\n  nightly:\n    agent: reader\n    initial_events: [{ type: user.message, content: Read. }]\n${deployment}`
}`,
  }
}

async function opened(t: Test, service: Service, project: Version): Promise<World> {
  const { provider, emulator } = service
  const seeds = service.isForward ? [] : [{ provider: provider.name, kind: 'agent', id: outside }]
  const subject: Subject = {
    provider,
    kinds,
    project,
    edits: {},
    variables: { KEY: 'sk-0123456789' },
    startService: emulatedWith(seeds, emulator),
  }
  const world = await World.open(subject)
  t.teardown(() => world.close())
  return world
}

/** Returns the object at the service. */
async function held(world: World, version: Version, address: string): Promise<JsonObject> {
  const { provider } = world.subject
  const id = (await world.rows(version)).get(`${provider.name}.${address}`)?.id
  const found: unknown = await (await fetch(`${world.service.emulatorUrl}/_emulator/objects/${id}`)).json()
  return isObject(found) ? found : {}
}

const rosterOf = ({ multiagent }: JsonObject): Json => (isObject(multiagent) ? (multiagent['agents'] ?? null) : null)
const actionsOf = ({ plan }: { readonly plan: Awaited<ReturnType<World['plan']>> }) =>
  Object.fromEntries(
    plan.changes.map(({ address, action, cause }) => [address.split('.').slice(1).join('.'), [action, cause]]),
  )

for (const service of services) {
  const { title, isForward, pinsMembers } = service
  const roster = isForward ? 'reader' : `reader, { agent_id: ${outside} }`

  t.test(
    `2.15 rules 1 and 6 on ${title}: members are sent, and the coordinator uses a newer version of a member`,
    async (t) => {
      const [first, second] = [
        versionFor(service, { roster }),
        versionFor(service, { roster, member: 'Read it twice.' }),
      ]
      const world = await opened(t, service, first)
      expectDone(await world.apply({ version: first }))
      await expectSettled(world, first)
      const before = rosterOf(await held(world, first, 'agent.lead'))
      t.equal(Array.isArray(before) && before.length, isForward ? 1 : 2)

      const run = await world.apply({ version: second })
      expectDone(run)
      const { 'agent.reader': reader, 'agent.lead': lead } = actionsOf(run)
      t.same(reader, ['update', 'intent'])
      t.same(lead, pinsMembers ? ['update', 'dependency'] : ['none', undefined])
      await expectSettled(world, second)
      const after = rosterOf(await held(world, second, 'agent.lead'))
      if (pinsMembers) {
        const { version } = await held(world, second, 'agent.reader')
        t.match(after, [{ version }], 'pinned again by the same apply')
        t.notSame(after, before)
      }

      expectDone(await world.apply({ version: second, mode: 'destroy' }))
      await expectNothingLeft(world, second)
      if (!isForward) {
        const objects = await world.service.objects()
        t.match(
          objects.find(({ id }) => id === outside),
          { archived: false },
          'rule 1: an external member is not changed',
        )
      }
    },
  )

  t.test(`2.15 rule 7 on ${title}: a roster that is no longer declared is cleared`, async (t) => {
    const [led, alone] = [versionFor(service, { roster }), versionFor(service, {})]
    const world = await opened(t, service, led)
    expectDone(await world.apply({ version: led }))
    expectDone(await world.apply({ version: alone }))
    t.same(rosterOf(await held(world, alone, 'agent.lead')), service.cleared)
    await expectSettled(world, alone)
    expectDone(await world.apply({ version: led }))
    await expectSettled(world, led)
  })

  t.test(
    `2.15 rule 3 on ${title}: a roster with itself, another coordinator or a cycle is refused before any call`,
    async (t) => {
      for (const members of ['lead', 'second'] as const) {
        const version = versionFor(service, { roster: members })
        const second = version.text.replace(
          'agents:\n',
          `agents:\n  second: { model: ${service.model}, instructions: Share., environment: room${isForward ? ', delivery: { qoder: { type: forward } }' : ''}, multiagent: { type: coordinator, agents: [lead] } }\n`,
        )
        const world = await opened(t, service, version)
        const text = members === 'second' ? second : version.text
        const codes = (await refusalOf(world.plan({ version: { text } }))).map(({ code }) => code)
        t.ok(codes.length > 0)
        for (const code of codes) t.match(code, /^agent\.roster-/)
      }
    },
  )
}

for (const service of services.filter(({ isForward }) => !isForward)) {
  const { title, provider } = service
  const isEmulated = provider === ark
  const variables =
    provider === bailian || provider === qoder ? '    environment_variables: { SCOPE: main, LEVEL: a=b }\n' : ''

  t.test(`2.16 on ${title}: a deployment follows its agent in the same apply, unless it names a version`, async (t) => {
    const following = versionFor(service, { deployment: variables })
    const world = await opened(t, service, following)
    const first = await world.apply({ version: following })
    expectDone(first)
    const notes = first.plan.changes.flatMap((change) => change.notes)
    t.match(
      notes,
      isEmulated
        ? [
            {
              code: 'plan.emulated',
              detail: /Ark.* has no deployments: kept in the state file/,
              fix: /agents deployment run/,
            },
          ]
        : { length: 0 },
    )
    t.equal(notes.length, isEmulated ? 1 : 0)
    await expectSettled(world, following)
    if (isEmulated) return t.equal((await world.rows(following)).get('ark.deployment.nightly')?.id, null)

    const changed = versionFor(service, { deployment: variables, member: 'Read it twice.' })
    const run = await world.apply({ version: changed })
    expectDone(run)
    t.same(actionsOf(run)['deployment.nightly'], ['update', 'dependency'])
    const { version } = await held(world, changed, 'agent.reader')
    const deployment = await held(world, changed, 'deployment.nightly')
    t.match(deployment, { agent: { version } })
    await expectSettled(world, changed)

    const pinned = versionFor(service, { deployment: `${variables}    agent_version: 1\n`, member: 'Read it thrice.' })
    expectDone(await world.apply({ version: pinned }))
    t.match(await held(world, pinned, 'deployment.nightly'), { agent: { version: 1 } })
    await expectSettled(world, pinned)
    if (provider === qoder) t.equal(deployment['environment_variables'], 'SCOPE=main;LEVEL=a=b')
    if (provider === bailian) t.same(deployment['environment_variables'], { SCOPE: 'main', LEVEL: 'a=b' })
  })
}

for (const service of services.filter(({ provider }) => provider === claude || provider === ark))
  t.test(
    `2.16 on ${service.title}: variables of a deployment are refused, because the provider has none`,
    async (t) => {
      const version = versionFor(service, { deployment: '    environment_variables: { A: "1" }\n' })
      const world = await opened(t, service, version)
      t.match(await refusalOf(world.plan({ version })), [
        { code: new RegExp(`^${service.provider.name}\\.deployment-`) },
      ])
    },
  )
