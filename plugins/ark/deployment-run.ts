// What one run of a deployment needs: the session to create and the events to send into it.
import type { Declaration } from '../../core/declaration/declaration.js'
import { problem } from '../../core/diagnostic.js'
import type { DeploymentActions } from '../../core/plugin/actions.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent.js'
import type { DeploymentBody } from '../kinds/deployment.js'
import type { ArkClient } from './client.js'
import { fileResource, sessionBody, storeResource } from './session-body.js'

type InitialEvent = DeploymentBody['initial_events'][number]
type Resource = NonNullable<DeploymentBody['resources']>[number]

export const deployments: DeploymentActions<ArkClient> = {
  request: (declaration, scope) => deploymentRun(declaration as unknown as Declaration<DeploymentBody>, scope),
  async run({ client, signal }, { body }) {
    const session = await client.create('/sessions', body['session'] ?? {}, { signal })
    try {
      await client.create(`/sessions/${session['id']}/events`, { events: body['events'] ?? [] }, { signal })
    } catch (error) {
      throw problem('ark.run-without-events', 'A run got its session but not its events', {
        detail: `The session ${session['id']} was created and waits; its initial events could not be sent.`,
        fix: 'Delete the session, and run the deployment again.',
        cause: error,
      })
    }
    return session
  },
}

/** Local files that have to be uploaded first: the written path to the name of the upload. */
export function uploadsOf(
  name: string,
  { resources = [], initial_events }: DeploymentBody,
): ReadonlyMap<string, string> {
  const written = [
    ...resources.flatMap((resource) => (resource.type === 'file' ? [resource.source] : [])),
    ...initial_events.flatMap((event) => (event.type === 'user.define_outcome' ? [event.rubric_file] : [])),
  ]
  return new Map(written.flatMap((path) => (path === undefined ? [] : [[path, `${name}~${path}`]])))
}

export function deploymentRun({ name, body }: Declaration<DeploymentBody>, scope: Scope): Tree {
  const uploads = uploadsOf(name, body)
  const uploaded = (written: string) => scope.output('file', uploads.get(written) ?? written)
  const agent = scope.project.find('agent', body.agent)?.body as AgentBody | undefined // The kind says which body it is.
  if (!agent) throw new Error(`the agent ${body.agent} is declared, or the reference would have been refused`)
  const extras = {
    version: body.agent_version,
    environment: body.environment,
    vaults: body.vaults ?? [],
    memoryStores: body.memory_stores ?? [],
    resources: (body.resources ?? []).flatMap((resource) => wireResource(resource, scope, uploaded)),
    title: body.description ?? name,
  }
  return {
    session: sessionBody(body.agent, agent, extras, scope),
    events: body.initial_events.map((event) => wireEvent(event, uploaded)),
  }
}

/** Repositories are refused by rule. */
function wireResource(resource: Resource, scope: Scope, uploaded: (written: string) => string): readonly JsonObject[] {
  if (resource.type === 'memory_store')
    return [storeResource(scope.output('memory_store', resource.memory_store), resource)]
  if (resource.type === 'git_repository') return []
  const id = resource.source === undefined ? resource.file_id : uploaded(resource.source)
  return id === undefined ? [] : [fileResource(id, resource.mount_path)]
}

function wireEvent(event: InitialEvent, uploaded: (written: string) => string): JsonObject {
  // System messages are taken right after a user message alone, so that one becomes a user message (a rule warns).
  if (event.type !== 'user.define_outcome') return { type: 'user.message', content: textBlocks(event.content) }
  const { type, description, rubric, rubric_file, max_iterations } = event
  return {
    type,
    description,
    rubric:
      rubric_file !== undefined
        ? { type: 'file', file_id: uploaded(rubric_file) }
        : typeof rubric === 'string'
          ? { type: 'text', content: rubric }
          : rubric,
    max_iterations,
  }
}

function textBlocks(content: string | readonly JsonObject[]): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
