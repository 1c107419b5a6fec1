// Runs a deployment: creates a session and sends the initial events.

import type { DeploymentActions } from '../../core/plugin/actions.js'
import { AnyObject } from '../../core/plugin/answer.js'
import type { Declaration } from '../../core/plugin/declaration.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { Scope } from '../../core/plugin/scope.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'
import { runParts, startEvents } from '../shared/deployment-parts.js'
import type { ArkClient } from './client.js'
import { mountRoot } from './mount-root.js'
import { problem } from './problems.js'
import { sessionBody } from './session-body.js'

export const deployments: DeploymentActions<ArkClient> = {
  request: (declaration, scope) => deploymentRun(declaration as unknown as Declaration<DeploymentBody>, scope),
  async run({ client, signal }, { body }) {
    const session = await client.create('/sessions', body['session'] ?? {}, { signal })
    try {
      await client.create(
        pathTo`/sessions/${session['id']}/events`,
        { events: body['events'] ?? [] },
        { signal, answer: AnyObject },
      )
    } catch (error) {
      throw problem('ark.run-without-events', {
        detail: `The session ${session['id']} was created and waits; its initial events could not be sent.`,
        cause: error,
      })
    }
    return session
  },
}

export function deploymentRun(deployment: Declaration<DeploymentBody>, scope: Scope): Tree {
  const { name, body } = deployment
  const session = { agent: body.agent, version: body.agent_version, title: body.description ?? name }
  return {
    session: sessionBody(session, runParts(deployment, scope, mountRoot), scope),
    events: startEvents(deployment, scope).map(fromUser),
  }
}

/**
 * Converts a system message to a user message, because the API accepts system messages only right after user messages
 * (a rule warns).
 */
function fromUser(event: JsonObject): JsonObject {
  return event['type'] === 'system.message' ? { ...event, type: 'user.message' } : event
}
