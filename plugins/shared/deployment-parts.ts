// Parts of a run of a deployment, in the form that all APIs share (agent configuration 2.16).
import type { Declaration } from '../../core/plugin/declaration.js'
import type { DerivedResource, Remote } from '../../core/plugin/handler.js'
import type { Scope } from '../../core/plugin/scope.js'
import { isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'
import {
  type SessionContents,
  type SessionExtras,
  type SessionParts,
  type SessionResource,
  sessionContents,
  sessionParts,
} from './session-parts.js'
import { objectsOf } from './wire.js'

type NamedDeployment = Pick<Declaration<DeploymentBody>, 'name' | 'body'>

/** Returns local files that have to be uploaded first, as derived resources. */
export function uploadsOf(deployment: NamedDeployment, more: JsonObject = {}): readonly DerivedResource[] {
  const { resources = [], initial_events } = deployment.body
  const written = [
    ...resources.flatMap((resource) => (resource.type === 'file' ? [resource.source] : [])),
    ...initial_events.flatMap((event) => (event.type === 'user.define_outcome' ? [event.rubric_file] : [])),
  ].filter((path) => path !== undefined)
  return [...new Set(written)].map((source) => ({
    kind: 'file',
    name: uploadName(deployment, source),
    body: { source, ...more },
  }))
}

/** Returns the parts of the agent and of the deployment. */
export function runParts(deployment: NamedDeployment, scope: Scope, mountRoot: string): SessionParts {
  return sessionParts(agentOf(deployment, scope), extrasOf(deployment, scope, mountRoot), scope)
}

/** Same as `runParts`, for APIs whose runs need no environment. */
export function runContents(deployment: NamedDeployment, scope: Scope, mountRoot: string): SessionContents {
  return sessionContents(agentOf(deployment, scope), extrasOf(deployment, scope, mountRoot), scope)
}

function agentOf({ body }: NamedDeployment, scope: Scope): { readonly name: string; readonly body: AgentBody } {
  const agent = scope.project.find('agent', body.agent)?.body as AgentBody | undefined // The kind says which body it is.
  if (!agent) throw new Error(`the agent ${body.agent} is not declared, although its reference was accepted`)
  return { name: body.agent, body: agent }
}

function extrasOf({ name, body }: NamedDeployment, scope: Scope, mountRoot: string): SessionExtras {
  const resources = (body.resources ?? []).flatMap((resource): readonly SessionResource[] => {
    if (resource.type !== 'file') return [resource]
    const { source, file_id, mount_path: mountPath } = resource
    const id = source === undefined ? file_id : scope.output('file', uploadName({ name, body }, source))
    return id === undefined ? [] : [{ type: 'file', id, mountPath }]
  })
  const { environment, vaults = [], memory_stores: memoryStores = [] } = body
  return { environment, vaults, memoryStores, resources, mountRoot }
}

/** Members of a schedule that servers add, for `Handler.added`. */
export const scheduleMembers = ['last_run_at', 'next_run_at', 'upcoming_runs_at'].map((member) => `schedule/${member}`)

/** Returns the compared reference to the agent. Versions are strings like all outputs; request bodies take numbers. */
export function agentPin({ agent, agent_version }: DeploymentBody, scope: Scope): Tree {
  return {
    id: scope.output('agent', agent),
    version: agent_version === undefined ? scope.output('agent', agent, 'version') : String(agent_version),
  }
}

/**
 * Returns the `agent` member of a request body; nothing if the update does not change the agent, whose version is then
 * kept.
 */
export function wireAgentPin(agent: Json | undefined): JsonObject {
  return isObject(agent) ? { agent: { type: 'agent', id: agent['id'], version: Number(agent['version']) } } : {}
}

export function startEvents({ name, body }: NamedDeployment, scope: Scope): readonly JsonObject[] {
  return body.initial_events.map((event) => {
    if (event.type !== 'user.define_outcome') return { type: event.type, content: textBlocks(event.content) }
    const { type, description, rubric, rubric_file, max_iterations } = event
    const wireRubric = typeof rubric === 'string' ? { type: 'text', content: rubric } : rubric
    return {
      type,
      description,
      rubric:
        rubric_file === undefined
          ? wireRubric
          : { type: 'file', file_id: scope.output('file', uploadName({ name, body }, rubric_file)) },
      max_iterations,
    }
  })
}

/** Members of an event that agents.yaml can say, with those of the objects in them. Others are the service's own. */
const eventMembers = ['type', 'content', 'description', 'rubric', 'max_iterations'] as const
const partMembers = ['type', 'text'] as const
const rubricMembers = ['type', 'content', 'file_id'] as const

/** Returns the events of a deployment without what the service adds. */
export function observedEvents(events: Json | undefined): readonly JsonObject[] {
  return objectsOf(events).map((event) => {
    const { content, rubric, ...rest } = only(event, eventMembers)
    return {
      ...rest,
      ...(content === undefined ? {} : { content: Array.isArray(content) ? content.map(textPart) : content }),
      ...(rubric === undefined ? {} : { rubric: isObject(rubric) ? only(rubric, rubricMembers) : rubric }),
    }
  })
}

/** Parts of other types cannot be declared, so they stay whole and count as a difference. */
function textPart(part: Json): Json {
  return isObject(part) && part['type'] === 'text' ? only(part, partMembers) : part
}

function only(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))
}

function uploadName({ name }: NamedDeployment, source: string): string {
  return `${name}~${source}`
}

function textBlocks(content: string | readonly JsonObject[]): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** True if somebody, or an error of a run, paused the schedule. */
export const isPaused = (remote: Remote): boolean => remote['status'] === 'paused'
