// Guarded update of an agent: it names the version it is based on, and the server refuses any other.

import { patchBody } from '../../core/plugin/body.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { Call, Remote, UpdateRequest } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import { keepUndeclared } from '../../core/plugin/undeclared.js'
import { canonical, type JsonObject, type Tree } from '../../core/value/tree.js'
import { fields, hasRoster, observedAgent, written } from './agent-wire.js'
import type { ArkClient } from './client.js'
import { patch } from './patch.js'
import { problem } from './problems.js'

/** Maximum number of version conflicts that are resolved by reading again before the agent counts as contended. */
const conflictsMax = 3

export async function updateAgent(call: Call<ArkClient>, request: UpdateRequest): Promise<Remote> {
  const path = pathTo`/agents/${request.id}`
  let { remote } = request
  for (let conflicts = 0; ; conflicts++) {
    try {
      const answer = await patch(call, path, bodyFor(request, remote), versionOf)
      return losesRoster(request) ? await withoutRoster(call, path) : answer
    } catch (error) {
      if (!isFailure(error, 'stale') || conflicts >= conflictsMax) throw error
      const now = await call.client.get(path, call)
      // The response of an earlier attempt was lost, and its update took effect.
      if (isSame(observedAgent(now), request.desired)) return now
      if (!isSame(observedAgent(now), request.observed)) throw changedMeanwhile(error)
      remote = now
    }
  }
}

function bodyFor(request: UpdateRequest, remote: Remote): JsonObject {
  const { metadata } = patchBody(fields, request)
  return {
    ...versionOf(remote),
    ...keepUndeclared(written, { ...request, remote }).body,
    ...(losesRoster(request) ? { multiagent: null } : {}),
    ...(metadata === undefined ? {} : { metadata }),
  }
}

function losesRoster({ desired, observed }: UpdateRequest): boolean {
  return hasRoster(observed) && !hasRoster(desired)
}

/**
 * Clears the roster and verifies the result: how a roster is cleared is not documented, so an accepted update is no
 * proof.
 */
async function withoutRoster(call: Call<ArkClient>, path: string): Promise<Remote> {
  const now = await call.client.get(path, call)
  if (!hasRoster(observedAgent(now))) return now
  throw problem('ark.agent-roster-kept', {
    detail:
      'The agent is no longer declared as a coordinator. The update that removes its roster was accepted, but the agent still has one.',
  })
}

function changedMeanwhile(cause: Error) {
  return problem('ark.agent-changed-meanwhile', {
    detail: 'Since it was read the agent got a new version with another content, which this update would overwrite.',
    cause,
  })
}

function versionOf(remote: Remote): JsonObject {
  return { version: remote['version'] }
}

function isSame(one: Tree, other: Tree): boolean {
  return canonical(one) === canonical(other)
}
