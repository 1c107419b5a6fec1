// Rules for agents of both APIs (agent configuration 2.11-2.14).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { unknownTools } from '../../kinds/tool-permissions.js'
import { fileWithoutMountPath } from '../../shared/file-without-mount-path.js'
import { strayToolkits } from '../../shared/mcp-toolkits.js'
import { permissionAuto } from '../../shared/permission-auto.js'
import { deliveryOf } from '../delivery.js'
import { builtinTools } from '../tool-names.js'
import { badEnvironmentVariables } from './environment-variables.js'
import { knownText } from './known-text.js'
import { metadataRules } from './metadata.js'

export const agentLimits = {
  nameLengthMax: 256,
  instructionsLengthMax: 100_000,
  templateDescriptionLengthMax: 2048,
  mcpServersMax: 20,
  skillsMax: 20,
} as const

const kind = 'agent'
const phase = 'declaration'

export const agentRules: readonly ProviderRule[] = [
  permissionAuto('qoder', 'Qoder'),
  rule<AgentBody>({
    code: 'qoder.tool-unknown',
    kind,
    phase,
    severity: 'warning',
    spec: '2.11',
    summary: 'Qoder may not have a built-in tool of this name',
    fix: `Use one of ${builtinTools.join(', ')}.`,
    *check({ declaration: { body } }) {
      for (const { index, name } of unknownTools(body.tools, builtinTools)) {
        yield {
          at: ['tools', 'builtin', index],
          detail: `"${name}" is none of the documented tools. It is sent all the same.`,
        }
      }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.mcp-server-without-url',
    kind,
    phase,
    severity: 'error',
    spec: '2.11',
    summary: 'Qoder reaches MCP servers by URL only',
    fix: 'Give the server a url.',
    *check({ declaration: { body } }) {
      for (const [index, server] of (body.mcp_servers ?? []).entries()) {
        if (server.url !== undefined) continue
        const detail = `"${server.name}" has no url, and Qoder has no catalogue of official MCP servers.`
        yield { at: ['mcp_servers', index], detail }
      }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.mcp-toolkit-without-server',
    kind,
    phase,
    severity: 'error',
    spec: '2.13',
    summary: 'An MCP toolkit names a server that the agent does not have',
    fix: 'Add the server to mcp_servers with its url.',
    *check({ declaration: { body } }) {
      for (const { index, name, hint } of strayToolkits(body))
        yield { at: ['tools', 'mcp', index, 'mcp_server_name'], detail: `"${name}" is not among mcp_servers.${hint}` }
    },
  }),
  rule<AgentBody>({
    code: 'qoder.agent-environment-variable',
    kind,
    phase,
    severity: 'error',
    spec: '2.11',
    summary: 'An environment variable cannot be written for Qoder',
    fix: 'Use another name or value, or an environment_variable credential of a vault.',
    *check({ declaration: { body }, project }) {
      if (deliveryOf(body) === 'managed') yield* badEnvironmentVariables(body.environment_variables ?? {}, project)
    },
  }),
  rule<AgentBody>({
    code: 'qoder.agent-too-large',
    kind,
    phase,
    severity: 'error',
    summary: 'The agent exceeds a limit of Qoder',
    fix: 'Stay below the limit.',
    *check({ declaration: { name, body }, project, api }) {
      const sizes = [
        { at: [], what: 'characters in its name', size: name.length, max: agentLimits.nameLengthMax },
        {
          at: ['instructions'],
          what: 'characters of instructions',
          size: knownText(body.instructions, project).length,
          max: agentLimits.instructionsLengthMax,
        },
        {
          at: ['mcp_servers'],
          what: 'MCP servers',
          size: body.mcp_servers?.length ?? 0,
          max: agentLimits.mcpServersMax,
        },
        { at: ['skills'], what: 'skills', size: body.skills?.length ?? 0, max: agentLimits.skillsMax },
        {
          at: ['description'],
          what: 'characters of description',
          size: knownText(body.description ?? '', project).length,
          max: api === 'forward' ? agentLimits.templateDescriptionLengthMax : Number.POSITIVE_INFINITY,
        },
      ]
      for (const { at, what, size, max } of sizes) {
        if (size > max) yield { at, onKey: true, detail: `It has ${size} ${what}; Qoder takes ${max}.` }
      }
    },
  }),
  fileWithoutMountPath({
    code: 'qoder.file-without-mount-path',
    title: 'The managed API of Qoder',
    concerns: ({ declaration }) => deliveryOf(declaration.body) === 'managed',
  }),
  ...metadataRules(kind),
]
