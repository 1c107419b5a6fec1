// Derives the declaration of an agent from its compared tree. The environment, vaults, files and stores of its sessions
// are not stored with the agent, so they cannot be read back.
import { isPath } from '../../core/declaration/text-reader.js'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import { declared, declaredMetadata, ownName } from './declared.js'
import { type DeclaredToolsOptions, declaredTools } from './tool-policies.js'
import { objectOf } from './wire.js'

export interface DeclaredAgentOptions extends DeclaredToolsOptions {
  readonly builtinTools: Iterable<string>
  /** Skills of the agent, each in the form that refers to it if agents.yaml does not declare it. */
  readonly skills: readonly {
    readonly type: string
    readonly skill_id: string
    readonly version?: string
    /** Version that the agent uses, if the API has versions. A reference by name always means the newest version. */
    readonly current?: string
  }[]
  /** Members of the declaration for agents that work with others in another way than by a roster. */
  readonly multiagent?: JsonObject
  /** Returns an MCP server from its name and the compared value. Default: the value is its address. */
  server?(name: string, compared: Json | undefined): JsonObject
}

const serverAt = (name: string, url: Json | undefined): JsonObject => ({ name, url })

/** Returns the declaration for the compared tree of an agent; undefined if a part of it cannot be declared. */
export function declaredAgent(tree: Tree, options: DeclaredAgentOptions, index: RemoteIndex): JsonObject | undefined {
  const { description, model, system, mcp_servers, multiagent, metadata } = tree
  const { id, ...moreOfModel } = objectOf(model)
  const tools = declaredTools(tree['tools'], options.builtinTools, options)
  const server = options.server ?? serverAt
  const members = membersOf(multiagent)
  if (typeof system !== 'string' || system === '') return index.cannotSay('it has no instructions')
  if (isPath(system)) return index.cannotSay('its instructions would be taken for the path of a file')
  if (Object.values(moreOfModel).some(Boolean)) return index.cannotSay('its model has settings of its own')
  if (tools === null) return index.cannotSay('its tools cannot be declared in agents.yaml')
  if (members.some((member) => typeof member !== 'string'))
    return index.cannotSay('its roster has members that are no agents of this account')
  const agents = members.map((member): Json => index.name('agent', String(member)) ?? { agent_id: member })
  const first = declared({ name: ownName(tree['name'], index), description, model: id, instructions: system })
  const rest = declared({
    mcp_servers: Object.entries(objectOf(mcp_servers)).map(([name, compared]) => server(name, compared)),
    skills: options.skills.map((skill) => skillOf(skill, index)),
    multiagent: options.multiagent ?? (agents.length > 0 ? { agents } : undefined),
    metadata: declaredMetadata(metadata),
  })
  // An empty list of tools is significant: without `tools` an agent may use all of them.
  return { ...first, ...(tools === undefined ? {} : { tools }), ...rest }
}

function skillOf({ current, ...skill }: DeclaredAgentOptions['skills'][number], index: RemoteIndex): Json {
  const name = index.name('skill', skill.skill_id)
  if (name === undefined) return skill
  const isNewest = current === undefined || index.isAt('skill', skill.skill_id, { version: current })
  return isNewest ? name : { ...skill, version: current }
}

function membersOf(multiagent: Json | undefined): readonly Json[] {
  const { agents } = objectOf(multiagent)
  return Array.isArray(agents) ? agents : []
}
