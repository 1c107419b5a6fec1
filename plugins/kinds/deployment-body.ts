// Schema of an entry of `deployments` (agent configuration 2.16).
import { type Static, Type } from 'typebox'
import { Exact, NameOf, ProviderName, StringMap, Text, Word } from '../../core/plugin/schema.js'
import { budget } from './budget.js'
import { fileResource, gitRepositoryResource, memoryStoreResource } from './resource.js'

const content = Type.Union(
  [
    Text({ minLength: 1 }),
    Type.Array(
      Exact({
        type: Type.Literal('text', { description: 'Always text.' }),
        text: Text({ minLength: 1, description: 'The text of this part.' }),
      }),
      { minItems: 1 },
    ),
  ],
  { description: 'The message: a text, or a list of parts.' },
)

const eventType = <const Name extends string>(name: Name, description: string) => Type.Literal(name, { description })

const initialEvent = Type.Union([
  Exact(
    { type: eventType('user.message', 'Text of the message.'), content },
    { description: 'A message of the user.' },
  ),
  Exact(
    { type: eventType('system.message', 'What the system says.'), content },
    { description: 'A message of the system.' },
  ),
  Exact(
    {
      type: eventType('user.define_outcome', 'What the run is to reach.'),
      description: Type.Optional(Text({ description: 'Description of the outcome.' })),
      rubric: Type.Optional(
        Type.Union(
          [
            Text({ minLength: 1 }),
            Exact(
              {
                type: Type.Literal('text', { description: 'The rubric is written here.' }),
                content: Text({ minLength: 1, description: 'The rubric.' }),
              },
              { description: 'The rubric itself.' },
            ),
            Exact(
              {
                type: Type.Literal('file', { description: 'The rubric is a file at the provider.' }),
                file_id: Word({ minLength: 1, description: 'Id of the file.' }),
              },
              { description: 'A file with the rubric.' },
            ),
          ],
          { description: 'How the outcome is judged: a text, or a file.' },
        ),
      ),
      rubric_file: Type.Optional(
        Type.String({ minLength: 1, description: 'A local text file with the rubric.', 'x-path': 'file' }),
      ),
      max_iterations: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 20, description: 'How often the agent may try.' }),
      ),
    },
    {
      description: 'What the run is to reach, and how that is judged.',
      examples: [{ type: 'user.define_outcome', description: 'A report', rubric: 'It names every open issue.' }],
    },
  ),
])

export const deploymentSchema = Exact(
  {
    name: Type.Optional(
      Text({
        minLength: 1,
        description: 'Display name, which may have variables. Left out: the key.',
        examples: ['nightly-${STAGE}'],
      }),
    ),
    agent: NameOf('agent', { description: 'Agent that runs.' }),
    agent_version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Version of the agent. Left out: the newest.' }),
    ),
    environment: Type.Optional(
      NameOf('environment', { description: "Where it runs. Left out: the agent's environment." }),
    ),
    tunnel: Type.Optional(NameOf('tunnel', { description: 'Tunnel of the runs.' })),
    vaults: Type.Optional(Type.Array(NameOf('vault'), { description: 'Vaults whose credentials the runs use.' })),
    memory_stores: Type.Optional(
      Type.Array(NameOf('memory_store'), { description: 'Memory stores that the runs use.' }),
    ),
    resources: Type.Optional(
      Type.Array(Type.Union([fileResource, memoryStoreResource, gitRepositoryResource]), {
        description: 'What is attached to every run.',
      }),
    ),
    environment_variables: Type.Optional(
      StringMap({ description: 'Environment variables of the runs. They are no place for secrets.' }),
    ),
    initial_events: Type.Array(initialEvent, {
      minItems: 1,
      maxItems: 50,
      description: 'What every run begins with.',
    }),
    schedule: Type.Optional(
      Exact(
        {
          expression: Word({
            minLength: 1,
            description: 'Cron with five fields: minute hour day month weekday.',
            examples: ['0 6 * * 1'],
          }),
          timezone: Word({
            minLength: 1,
            description: 'IANA time zone, such as Europe/Berlin.',
            examples: ['Europe/Berlin'],
          }),
        },
        { description: 'When it runs by itself. Left out: only when it is started.' },
      ),
    ),
    budget: Type.Optional(budget("What each run may cost. Left out: the agent's budget.")),
    description: Type.Optional(Text({ description: 'What the deployment is for.' })),
    provider: Type.Optional(ProviderName()),
    metadata: Type.Optional(StringMap({ description: 'Labels of your own; the provider only stores them.' })),
  },
  { description: 'A repeatable run of an agent.' },
)

export type DeploymentBody = Static<typeof deploymentSchema>
