// Checks an emulated agent's references against the account, and fills in the server's defaults.
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type EmulatorContext, refuse } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import type { CreateAgent, Member, Tool } from './agent-schema.js'
import { presentMembers } from './schema.js'

type Servers = NonNullable<CreateAgent['mcp_servers']>

/** Normalises names: lower case, blanks to hyphens, a suffix on clashes. Returns new names by old ones. */
export function renamedServers(servers: Servers): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  for (const { name } of servers) {
    if (renamed.has(name)) throw refuse('invalid', `mcp_servers: "${name}" is named twice`, { param: 'mcp_servers' })
    const plain = name.toLowerCase().replaceAll(/\s+/g, '-')
    const taken = new Set(renamed.values())
    let free = plain
    for (let suffix = 2; taken.has(free); suffix++) free = `${plain}-${suffix}`
    renamed.set(name, free)
  }
  return renamed
}

/** Returns toolsets; one without defaults is stored as enabled and allowed. */
export function filledTools(tools: readonly Tool[], servers: ReadonlyMap<string, string>): readonly JsonObject[] {
  return tools.map((tool) => {
    if (tool.type === 'custom') return presentMembers(checkedCustom(tool))
    if (tool.type === 'evolution') return tool
    const { default_config, configs, ...rest } = presentMembers(tool)
    return {
      ...rest,
      ...('mcp_server_name' in tool ? { mcp_server_name: declaredServer(tool.mcp_server_name, servers) } : {}),
      default_config: default_config
        ? { ...presentMembers(default_config) }
        : { enabled: true, permission_policy: { type: 'always_allow' } },
      ...(configs?.length ? { configs: configs.map((config) => presentMembers(config)) } : {}),
    }
  })
}

function declaredServer(name: string, servers: ReadonlyMap<string, string>): string {
  const declared = servers.get(name)
  if (declared === undefined)
    throw refuse('invalid', `tools: no MCP server "${name}" is declared`, { param: 'tools.mcp_server_name' })
  return declared
}

function checkedCustom(tool: Extract<Tool, { type: 'custom' }>) {
  try {
    JSON.parse(tool.input_schema)
    return tool
  } catch {
    throw refuse('invalid', 'tools: input_schema must be a JSON text', { param: 'tools.input_schema' })
  }
}

export function checkSkills({ store }: EmulatorContext, skills: NonNullable<CreateAgent['skills']>): void {
  for (const [index, { type, skill_id }] of skills.entries())
    if (type === 'custom' && !store.find('skills', skill_id))
      throw refuse('invalid', `skills[${index}]: skill ${skill_id} is not found`, { param: `skills.${index}.skill_id` })
}

/** Returns the roster one level deep, with current versions. */
export function filledRoster(
  context: EmulatorContext,
  members: readonly Member[],
  coordinatorId: string | undefined,
): JsonObject {
  if (coordinatorId !== undefined && coordinatorOf(context, coordinatorId))
    throw refuse('invalid', 'multiagent: the member of a roster cannot have one', { param: 'multiagent' })
  return { type: 'coordinator', agents: members.map((member) => filledMember(context, member)) }
}

function filledMember({ store }: EmulatorContext, member: Member): JsonObject {
  if (member.type === 'self') return member
  const agent = store.find('agents', member.id)
  if (!agent) throw refuse('invalid', `multiagent: agent ${member.id} is not found`, { param: 'multiagent.agents' })
  if (isObject(agent.body['multiagent']))
    throw refuse('invalid', `multiagent: agent ${member.id} has a roster itself`, { param: 'multiagent.agents' })
  return { ...presentMembers(member), version: member.version ?? agent.body['version'] }
}

/** Returns an agent whose roster names this one. */
export function coordinatorOf({ store }: EmulatorContext, id: string): StoredObject | undefined {
  for (const agent of store.all('agents'))
    if (membersIn(agent.body['multiagent']).some((member) => member['id'] === id)) return agent
  return undefined
}

function membersIn(multiagent: Json | undefined): readonly JsonObject[] {
  const members = isObject(multiagent) ? multiagent['agents'] : undefined
  return Array.isArray(members) ? members.filter(isObject) : []
}

const metadataPairsMax = 16

export function checkMetadata(metadata: JsonObject): JsonObject {
  if (Object.keys(metadata).length > metadataPairsMax)
    throw refuse('invalid', `metadata: at most ${metadataPairsMax} pairs`, { param: 'metadata' })
  return metadata
}
