// Schemas of resources that deployments and single sessions can mount, besides the files of agents (agent configuration
// 2.14, 2.16).
import { Type } from 'typebox'
import { Exact, NameOf, OneOf, Secret, Text, Word } from '../../core/plugin/schema.js'

const resourceType = <const Name extends string>(name: Name) =>
  Type.Literal(name, { description: `Always ${name}.`, 'x-words': 'resource.type' })

/** Name of mounted repositories in all APIs, whatever service hosts the repository. */
export const resourceWords = { 'resource.type': { github_repository: 'git_repository' } } as const

const mountPath = Type.Optional(
  Word({
    minLength: 1,
    description: "Where the agent sees it; a relative path starts at the provider's mount root.",
    examples: ['handbook'],
  }),
)

export const memoryStoreResource = Exact(
  {
    type: resourceType('memory_store'),
    memory_store: NameOf('memory_store', { description: 'The store, by its name.' }),
    access: Type.Optional(
      OneOf(['read_write', 'read_only'], { description: 'What sessions may do with it.', default: 'read_write' }),
    ),
    instructions: Type.Optional(Text({ maxLength: 4096, description: 'How the agent should use the store.' })),
  },
  {
    description: 'A memory store.',
    'x-refused': { mount_path: 'The server chooses the mount path of a memory store.' },
  },
)

export const gitRepositoryResource = Exact(
  {
    type: resourceType('git_repository'),
    url: Word({ minLength: 1, description: 'Clone URL.', examples: ['https://github.com/acme/handbook'] }),
    authorization_token: Type.Optional(
      Secret({ minLength: 1, description: 'Access token; write ${NAME} and keep it in .env.' }),
    ),
    checkout: Type.Optional(
      Exact(
        {
          branch: Type.Optional(Word({ minLength: 1, description: 'Newest commit of this branch.' })),
          commit: Type.Optional(
            Word({ pattern: '^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$', description: 'Full commit hash.' }),
          ),
        },
        {
          minProperties: 1,
          maxProperties: 1,
          description: 'What is checked out, by branch or by commit. Left out: the default branch.',
        },
      ),
    ),
    mount_path: mountPath,
  },
  { description: 'A git repository.' },
)

export const fileResource = Exact(
  {
    type: resourceType('file'),
    file_id: Type.Optional(
      Word({ minLength: 1, description: 'Id of a file that is uploaded already. One of file_id and source.' }),
    ),
    source: Type.Optional(
      Type.String({ minLength: 1, description: 'A local file, which is uploaded.', 'x-path': 'file' }),
    ),
    mount_path: mountPath,
  },
  { description: 'A file.', examples: [{ type: 'file', source: './report.md', mount_path: 'report.md' }] },
)
