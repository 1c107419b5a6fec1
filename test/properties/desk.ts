// Part of a random project that exists on Qoder only: agents, identities and channels of the forward API. Agents of the two
// APIs share nothing, so all of these resources are pinned and refer to each other only.
import fc from 'fast-check'
import type { JsonObject } from '../../core/value/tree.js'

const word = fc.constantFrom('one', 'two', 'with ${NOTE} inside')
const provider = 'qoder'
/** Users and channels of the visits; see `visitedQoder`. */
export const visits = { identity: 'visitor-of-the-shop', templates: ['front'] } as const

const stores = ['shelf', 'drawer'] as const

export const deskParts = fc.option(
  fc.record({
    /** A renamed identity with the same external id stays the same object. */
    identity: fc.constantFrom('visitor', 'customer'),
    title: word,
    description: word,
    stores: fc.subarray([...stores]),
    mounted: fc.subarray([...stores]),
    tools: fc.option(fc.subarray(['create_forward_schedule', 'list_forward_schedules'])),
    hasTunnel: fc.boolean(),
    hasBack: fc.boolean(),
    /** External id of the channel. */
    channel: fc.option(fc.constantFrom('chat', 'talk')),
    options: fc.record({ include_thinking: fc.boolean() }),
    hasBroadcast: fc.boolean(),
  }),
  { nil: undefined },
)
type Desk = typeof deskParts extends fc.Arbitrary<infer Found> ? NonNullable<Found> : never

export function deskOf(desk: Desk | undefined): Readonly<Record<Section, JsonObject>> {
  return desk ? sectionsOf(desk) : nothing
}

type Section = 'defaults' | 'environments' | 'memory_stores' | 'identities' | 'agents' | 'channels'
const nothing = { defaults: {}, environments: {}, memory_stores: {}, identities: {}, agents: {}, channels: {} }

function sectionsOf(desk: Desk): Readonly<Record<Section, JsonObject>> {
  const { identity, channel, hasBack, hasBroadcast } = desk
  const agent = { provider, model: 'auto', environment: 'desk', delivery: { qoder: { type: 'forward' } } }
  const mounted = desk.mounted.filter((store) => desk.stores.includes(store))
  return {
    defaults: { identity },
    environments: { desk: { provider, config: { type: 'cloud' } } },
    // Unused objects keep their API, so that two objects never exchange their APIs.
    memory_stores: Object.fromEntries(
      desk.stores.map((store) => [store, { provider, entries: [{ key: 'a.md', content: store }] }]),
    ),
    identities: { [identity]: { provider, external_id: visits.identity, name: desk.title } },
    agents: {
      front: {
        ...agent,
        description: desk.description,
        instructions: 'Answer.',
        memory_stores: mounted,
        default_memory_store: { name: desk.title, delete_on_destroy: true },
        ...(desk.tools ? { managed_tool_config: { enabled_tools: desk.tools } } : {}),
        ...(desk.hasTunnel ? { tunnel: 'office' } : {}),
      },
      ...(hasBack
        ? { back: { ...agent, instructions: 'Share.', multiagent: { type: 'coordinator', agents: ['front'] } } }
        : {}),
    },
    channels: {
      ...(channel
        ? {
            [channel]: {
              provider,
              type: 'dingtalk',
              agent: 'front',
              credentials: { client_id: 'c1', client_secret: '${KEY_B}' },
              options: desk.options,
            },
          }
        : {}),
      ...(hasBroadcast
        ? {
            broadcast: {
              provider,
              type: 'wecom',
              mode: 'pairing',
              credentials: { bot_id: 'b1', secret: '${KEY_A}' },
            },
          }
        : {}),
    },
  }
}
