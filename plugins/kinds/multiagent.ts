// How an agent works with others: as coordinator of a roster (agent configuration 2.15), or with an advisor, subagents
// and workflows, each switched by itself.
import { type Static, Type } from 'typebox'
import type { Finding } from '../../core/plugin/declaration.js'
import { Exact, NameOf, OneOf, Word } from '../../core/plugin/schema.js'

/** The form without a roster of its own, by the name that its API gives it. */
export const switchedForm = 'multiagent_20261001'

const rosterMember = Type.Union([
  NameOf('agent'),
  Exact({
    agent_id: Word({ minLength: 1, description: 'Id of an agent outside this project, which is never changed.' }),
  }),
])
type RosterMember = Static<typeof rosterMember>

const enabled = (what: string) =>
  Type.Optional(Type.Boolean({ description: `Whether the agent ${what}.`, default: true }))

const helpers = (what: string, description: string) =>
  Type.Optional(
    Exact(
      {
        enabled: enabled(what),
        agents: Type.Optional(
          Type.Array(rosterMember, {
            minItems: 1,
            description: 'The agents that it may use for this: names of declared ones, or ids of others. At most 20.',
          }),
        ),
        inline_agents: Type.Optional(
          Type.Boolean({
            description:
              'Whether it may also make agents up, which are not saved. Left out: what is set elsewhere, at first true.',
          }),
        ),
      },
      { description, examples: [{ inline_agents: true }] },
    ),
  )

const advisor = Exact(
  {
    enabled: enabled('may ask another model for advice'),
    model: Type.Optional(Word({ minLength: 1, description: 'The model that gives advice.' })),
  },
  {
    description: 'A model that the agent may ask for advice. Left out: what is set elsewhere, at first none.',
    examples: [{ model: 'claude-opus-5' }],
  },
)

export const multiagentSchema = Exact(
  {
    type: Type.Optional(
      OneOf(['coordinator', switchedForm], {
        description: `coordinator: the agent gives work to a roster of agents. ${switchedForm}: it has an advisor, subagents and workflows, each switched by itself. Left out: the form of the other keys.`,
      }),
    ),
    agents: Type.Optional(
      Type.Array(rosterMember, {
        minItems: 1,
        description: 'The agents it may give work to: names of declared ones, or ids of others. At most 20.',
      }),
    ),
    advisor: Type.Optional(advisor),
    subagents: helpers(
      'may start agents beside itself',
      'Agents that work beside it, each in a thread of the session. Left out: what is set elsewhere, at first enabled.',
    ),
    workflows: helpers(
      'may write and run programs that use agents',
      'Programs that the agent writes, whose steps agents do. Left out: what is set elsewhere, at first enabled.',
    ),
  },
  { description: 'How the agent works with others.' },
)

export type Multiagent = Static<typeof multiagentSchema>
export const helperNames = ['subagents', 'workflows'] as const

export interface Roster {
  readonly at: Finding['at']
  readonly members: readonly RosterMember[]
}

/** Returns every list of agents, with its place in the body of the agent. */
export function rostersOf(multiagent: Multiagent | undefined): readonly Roster[] {
  const lists = [
    [['multiagent', 'agents'], multiagent?.agents] as const,
    ...helperNames.map((name) => [['multiagent', name, 'agents'], multiagent?.[name]?.agents] as const),
  ]
  return lists.flatMap(([at, members]) => (members === undefined ? [] : [{ at, members }]))
}

/** Yields every member of every list. */
export function* membersOf(
  multiagent: Multiagent | undefined,
): Iterable<{ readonly at: Finding['at']; readonly member: RosterMember }> {
  for (const { at, members } of rostersOf(multiagent))
    for (const [index, member] of members.entries()) yield { at: [...at, index], member }
}

/** True for a coordinator of a roster; false for the form of switches. */
export function isCoordinator({ type, agents, ...switches }: Multiagent): boolean {
  const isSwitched = agents === undefined && Object.values(switches).some((one) => one !== undefined)
  return (type ?? (isSwitched ? switchedForm : 'coordinator')) === 'coordinator'
}
