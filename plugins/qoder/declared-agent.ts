// Derives declarations of agents and templates.
import { isPath } from '../../core/declaration/text-reader.js'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import { declared, declaredMetadata, ownName } from '../shared/declared.js'
import { declaredToolkit } from '../shared/tool-policies.js'
import { objectOf, objectsOf, textOf, textsOf } from '../shared/wire.js'

/** Returns the declaration for the compared tree, without the roster; undefined if a part of it cannot be declared. */
export function agentBody(tree: Tree, index: RemoteIndex): JsonObject | undefined {
  const { description, model, system, mcp_servers, skills, metadata } = tree
  const instructions = textOf(system)
  const tools = toolsBody(objectOf(tree['tools']))
  if (instructions === '') return index.cannotSay('it has no instructions')
  if (isPath(instructions)) return index.cannotSay('its instructions would be taken for the path of a file')
  if (tools === null) return index.cannotSay('its tools cannot be declared in agents.yaml')
  return {
    ...declared({ name: ownName(tree['name'], index), description, model, instructions }),
    ...(tools === undefined ? {} : { tools }),
    ...declared({
      mcp_servers: Object.entries(objectOf(mcp_servers)).map(([name, server]) => ({
        name,
        url: objectOf(server)['url'],
      })),
      skills: objectsOf(skills).map((skill) => skillBody(skill, index)),
      metadata: declaredMetadata(metadata),
    }),
  }
}

/** Returns the tools; undefined if the defaults apply, null if they cannot be declared. */
function toolsBody({ builtin, mcp }: JsonObject): JsonObject | undefined | null {
  const declaredKits = Object.entries(objectOf(mcp)).map(([server, set]) => declaredToolkit(server, objectOf(set)))
  if (declaredKits.includes(null)) return null
  const toolkits = declaredKits.filter((toolkit) => isObject(toolkit))
  // All tools, including future ones, are declared by omitting `tools`.
  if (typeof builtin === 'string') return toolkits.length > 0 ? null : undefined
  const permissions = objectOf(builtin)
  const restricted = Object.entries(permissions).filter(([, permission]) => permission !== 'allow')
  return {
    builtin: Object.keys(permissions).sort(),
    ...(restricted.length > 0 ? { permissions: Object.fromEntries(restricted) } : {}),
    ...(toolkits.length > 0 ? { mcp: toolkits } : {}),
  }
}

function skillBody({ type, skill_id, version }: JsonObject, index: RemoteIndex): Json {
  const name = version === undefined ? index.name('skill', textOf(skill_id)) : undefined
  return name ?? declared({ type: type === 'qoder' ? 'official' : 'custom', skill_id, version })
}

/** Returns the roster of a coordinator in the managed API. Agents of other projects are referred to by id. */
export function rosterBody(roster: Json | undefined, index: RemoteIndex): JsonObject {
  const members = objectsOf(objectOf(roster)['agents']).map(({ id }) => textOf(id))
  if (members.length === 0) return {}
  return { multiagent: { agents: members.map((id) => index.name('agent', id) ?? { agent_id: id }) } }
}

/** Returns the further members of a template; undefined if it uses an object that the project cannot name. */
export function templateBody(tree: Tree, index: RemoteIndex): JsonObject | undefined {
  const body = agentBody(tree, index)
  const environment = index.name('environment', textOf(tree['environment_id']))
  const [vaultId, ...moreVaults] = textsOf(tree['vaults'])
  const vault = vaultId === undefined ? undefined : index.name('vault', vaultId)
  const members = objectsOf(objectOf(tree['multiagent'])['agents']).map(({ template_id }) =>
    index.name('agent', textOf(template_id)),
  )
  // Uploads and tunnels are declared by name, and their declarations cannot be read back.
  const files = textsOf(tree['files']).map((file) => index.name('file', file))
  if (files.includes(undefined)) return index.cannotSay('it has files, and agents.yaml can only name declared ones')
  const tunnel = isEmpty(tree['tunnel_id']) ? undefined : index.name('tunnel', textOf(tree['tunnel_id']))
  if (!isEmpty(tree['tunnel_id']) && tunnel === undefined)
    return index.cannotSay('it has a tunnel, and agents.yaml can only name a declared one')
  if (moreVaults.length > 0) return index.cannotSay('it has several vaults')
  const isLost = (vaultId !== undefined && vault === undefined) || members.includes(undefined)
  if (environment === undefined || isLost) return index.cannotSay('it uses something that agents.yaml does not declare')
  if (!body) return undefined
  return {
    ...body,
    ...declared({ environment, tunnel, vault, files: files.filter((file) => file !== undefined) }),
    ...declared({ environment_variables: tree['environment_variables'] }),
    ...(members.length > 0 ? { multiagent: { agents: members.filter((name) => name !== undefined) } } : {}),
    delivery: { qoder: { type: 'forward' } },
  }
}
