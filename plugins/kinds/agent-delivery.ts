// Schemas of an agent's delivery and of what the provider runs for it (agent configuration 2.4, 2.11).
import { Type } from 'typebox'
import { Exact, OneOf, PerProvider, Word } from '../../core/plugin/schema.js'

export const managedToolConfig = Exact(
  {
    enabled_tools: Type.Array(Word({ minLength: 1 }), {
      description: 'The whole set of tools that are on; an empty list turns all of them off.',
      examples: [['create_forward_schedule', 'list_forward_schedules', 'delete_forward_schedule']],
    }),
  },
  { description: 'Tools that the provider itself runs for the agent. Left out: they stay as they are.' },
)

const deliveryDetails = [
  'Qoder has two APIs over one account, and an agent lives in one of them.',
  'managed (what you get without delivery): an agent. You start its sessions and deployments, so it suits jobs, reviews and everything your own program drives. It can use tunnels, repositories and a limited network.',
  'forward: a template that serves end users. Each user is an identity; a session belongs to one identity and one template, and channels bring messages of a messenger to it. It needs an environment, can have a default_memory_store for each user and managed_tool_config, and has no deployments, tunnels or resources.',
  'The APIs cannot see each other: what an agent uses (environment, vault, skills, files, memory stores) is made in its API, so one declaration cannot serve agents of both kinds. Declare two. A coordinator and its members have the same delivery.',
  'Changing the delivery of an agent removes it in one API and creates it in the other. The other providers have one way of delivery and refuse forward.',
].join('\n')

export const delivery = PerProvider(
  Exact(
    {
      type: Type.Optional(
        OneOf(['managed', 'forward'], {
          description: 'managed: an agent whose sessions you start. forward: a template that serves end users.',
          default: 'managed',
          'x-with': { environment: 'example' },
        }),
      ),
    },
    { description: 'Delivery on this provider.' },
  ),
  {
    description: 'How the agent is delivered, by provider.',
    examples: [{ qoder: { type: 'forward' } }],
    'x-details': deliveryDetails,
    'x-with': { environment: 'example' },
  },
)
