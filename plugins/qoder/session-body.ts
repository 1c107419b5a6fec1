// Builds the body of a new session in either API from its agent and the additions for this session (agent configuration
// 2.11, 2.14).

import { basename } from 'node:path/posix'
import type { Scope } from '../../core/plugin/scope.js'
import type { SessionRequest } from '../../core/plugin/sessions.js'
import type { Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { FileBody } from '../kinds/file.js'
import { sharedProblem } from '../shared/problems.js'
import { distinct, refuseDuplicateMounts, type SessionFile, sessionParts } from '../shared/session-parts.js'
import { variablesText } from './environment-variables.js'
import { mountRoot, workspace } from './mount-root.js'
import { desiredMounts, fileMountPath, wireMounts } from './mounts.js'
import { problem } from './problems.js'
import { badEnvironmentVariables } from './rules/environment-variables.js'

export interface SessionAgent {
  readonly name: string
  readonly body: AgentBody
}

export function managedSession(agent: SessionAgent, request: SessionRequest, scope: Scope): Tree {
  if (request.identity !== undefined)
    throw refused('Sessions of managed agents have no identity.', 'Leave out --identity.')
  const variables = { ...agent.body.environment_variables, ...request.variables }
  refuseUnwritable(variables, scope)
  const { environment, vaults, memoryStores } = request
  const resources = request.files.map((file) => namedFile(file, scope))
  const parts = sessionParts(agent, { environment, vaults, memoryStores, resources, mountRoot }, scope)
  const tunnel = request.tunnel ?? agent.body.tunnel
  const text = variablesText(variables)
  return {
    agent: scope.output('agent', agent.name),
    environment_id: scope.output('environment', parts.environment),
    ...(tunnel === undefined ? {} : { tunnel_id: scope.output('tunnel', tunnel) }),
    title: request.title,
    ...(text === null ? {} : { environment_variables: text }),
    vault_ids: parts.vaults.map((vault) => scope.output('vault', vault)),
    resources: wireMounts(desiredMounts(parts.resources, scope)),
  }
}

/**
 * Session options that are refused because they are properties of the template; a session only has its identity,
 * variables and files.
 */
const setByTemplate = {
  environment: { option: '--environment', isRequested: ({ environment }: SessionRequest) => environment !== undefined },
  vaults: { option: '--vault', isRequested: ({ vaults }: SessionRequest) => vaults.length > 0 },
  memoryStores: {
    option: '--memory-store',
    isRequested: ({ memoryStores }: SessionRequest) => memoryStores.length > 0,
  },
  tunnel: { option: '--tunnel', isRequested: ({ tunnel }: SessionRequest) => tunnel !== undefined },
} as const

export function forwardSession(agent: SessionAgent, request: SessionRequest, scope: Scope): Tree {
  for (const { option, isRequested } of Object.values(setByTemplate))
    if (isRequested(request))
      throw refused('Sessions of a forward agent use what its template names.', `Leave out ${option}.`)
  const identity = request.identity ?? scope.project.defaults.identity
  if (identity === undefined)
    throw problem('qoder.session-without-identity', {
      detail: `The request for a session of ${agent.name} names none, and neither does defaults.identity.`,
    })
  const mounted = (agent.body.files ?? []).flatMap((file): readonly SessionFile[] =>
    typeof file === 'string' ? [] : [{ type: 'file', id: scope.output('file', file.file), mountPath: file.mount_path }],
  )
  const added = request.files.map((file) => namedFile(file, scope))
  refuseDuplicateMounts({ resources: added, mountRoot }, scope)
  const files = distinct([...added, ...mounted], mountRoot)
  // Memory stores are mounted for all sessions of an identity and template. Sessions must wait for these mounts (agent
  // configuration 2.8).
  for (const store of agent.body.memory_stores ?? []) scope.output('memory_store', store)
  const variables = { ...agent.body.environment_variables, ...request.variables }
  return {
    identity_id: scope.output('identity', identity),
    template_id: scope.output('agent', agent.name),
    title: request.title,
    ...(Object.keys(variables).length === 0 ? {} : { config: { environment_variables: variables } }),
    resources: files.map((file) => ({ type: 'file', file_id: file.id, mount_path: fileMountPath(file) })),
    incremental_streaming_enabled: false,
  }
}

/** Returns a file that is referred to by name, mounted under its own file name. */
function namedFile(file: string, scope: Scope): SessionFile {
  const body = scope.project.find('file', file)?.body as FileBody | undefined // The kind says which body it is.
  const mountPath = body && `${workspace}/${basename(body.source)}`
  return { type: 'file', id: scope.output('file', file), mountPath }
}

function refuseUnwritable(variables: Readonly<Record<string, string>>, scope: Scope): void {
  const [bad] = badEnvironmentVariables(variables, scope.project)
  if (bad) throw problem('qoder.session-environment-variable', { detail: bad.detail })
}

function refused(detail: string, fix: string): Error {
  return sharedProblem('qoder')('qoder.session-option', { detail, fix })
}
