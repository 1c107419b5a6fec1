// Limits of built-in tools that reach the web, and tools that the caller of a session runs. Agent configuration has no
// words for them; these follow the API that has them.
import { Type } from 'typebox'
import { Exact, OneOf, Text, Word } from '../../core/plugin/schema.js'

const domain = Word({
  minLength: 1,
  pattern: '^[^:/]+(/.*)?$',
  description: 'A host without scheme and port, docs.example.com, or one with a path, docs.example.com/guide.',
})
const allowed_domains = Type.Optional(
  Type.Array(domain, {
    minItems: 1,
    maxItems: 64,
    description: 'The only hosts that the tool reaches, with their subdomains. Not together with blocked_domains.',
    examples: [['docs.example.com']],
  }),
)
const blocked_domains = Type.Optional(
  Type.Array(domain, {
    minItems: 1,
    maxItems: 64,
    description: 'Hosts that the tool never reaches, with their subdomains.',
    examples: [['ads.example.com']],
  }),
)

const toolNames = (description: string) =>
  Type.Array(Word({ minLength: 1 }), { minItems: 1, description, examples: [['web_search']] })
const toolFilter = (description: string) =>
  Type.Optional(
    Type.Union(
      [
        OneOf(['all', 'none']),
        Exact(
          {
            only: Type.Optional(toolNames('The only tools whose results count.')),
            except: Type.Optional(toolNames('Tools whose results do not count.')),
          },
          { oneOf: [{ required: ['only'] }, { required: ['except'] }] },
        ),
      ],
      { description, examples: ['none', { only: ['web_search'] }] },
    ),
  )
const place = (description: string, example: string) =>
  Type.Optional(Text({ minLength: 1, description, examples: [example] }))

export const toolLimits = Exact(
  {
    web_fetch: Type.Optional(
      Exact(
        {
          allowed_domains,
          blocked_domains,
          max_content_tokens: Type.Optional(
            Type.Integer({ minimum: 1, description: 'How much of a page is read, in tokens.', examples: [20_000] }),
          ),
          url_sources: Type.Optional(
            Exact(
              {
                user_input: Type.Optional(
                  OneOf(['all', 'none'], { description: 'URLs in messages of the user.', examples: ['none'] }),
                ),
                server_tool_results: toolFilter('URLs in results of web_search and web_fetch.'),
                client_tool_results: toolFilter('URLs in results of tools under custom.'),
              },
              { description: 'Where the URLs that may be fetched come from. Left out: from everywhere.' },
            ),
          ),
        },
        { description: 'Limits of web_fetch.' },
      ),
    ),
    web_search: Type.Optional(
      Exact(
        {
          allowed_domains,
          blocked_domains,
          user_location: Type.Optional(
            Exact(
              {
                city: place('City.', 'Berlin'),
                region: place('Region.', 'Berlin'),
                country: place('Country, as two letters.', 'DE'),
                timezone: place('IANA time zone.', 'Europe/Berlin'),
              },
              { description: 'Where results are to be searched for.' },
            ),
          ),
        },
        { description: 'Limits of web_search.' },
      ),
    ),
  },
  {
    description: 'Limits of single built-in tools. A limit that is set elsewhere and not declared here stays.',
  },
)

export const customTools = Type.Array(
  Exact({
    name: Word({ pattern: '^[A-Za-z0-9_-]{1,128}$', description: 'Name of the tool.' }),
    description: Text({ minLength: 1, description: 'What the tool does, for the agent.' }),
    input_schema: Type.Object(
      { type: OneOf(['object'], { description: 'Always object. Beside it stand any other keywords.' }) },
      {
        description: 'JSON Schema of its input.',
        examples: [{ type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] }],
      },
    ),
  }),
  {
    description:
      'Tools that the caller runs: a session waits for the result of each call. Others that are set elsewhere stay.',
    examples: [[{ name: 'pay', description: 'Pays a bill.', input_schema: { type: 'object' } }]],
  },
)
