// Fields whose counterpart only the API of Claude has. The other providers refuse them, because an agent or a run without
// a limit that the file states would do more than its author wanted.
import type { Finding } from '../../core/plugin/declaration.js'
import { type ProviderRule, rule } from '../../core/plugin/rule.js'
import type { AgentBody } from '../kinds/agent-body.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'
import { switchedForm } from '../kinds/multiagent.js'
import type { VaultBody } from '../kinds/vault-body.js'

type Field = readonly [at: Finding['at'], value: unknown, lacks: string]

function ofAgent({ model_settings, tools, budget, multiagent }: AgentBody): readonly Field[] {
  const { type, advisor, subagents, workflows } = multiagent ?? {}
  return [
    [['model_settings'], model_settings, 'models whose effort, speed or region can be chosen'],
    [['tools', 'limits'], tools?.limits, 'limits of single tools'],
    [['tools', 'custom'], tools?.custom, 'tools that the caller runs'],
    [['budget'], budget, 'budgets'],
    [['multiagent', 'type'], type === switchedForm ? type : undefined, 'form of multiagent but coordinator'],
    [['multiagent', 'advisor'], advisor, 'advisors'],
    [['multiagent', 'subagents'], subagents, 'subagents beside coordinators'],
    [['multiagent', 'workflows'], workflows, 'workflows'],
  ]
}

const ofVault = ({ credentials }: VaultBody): readonly Field[] =>
  (credentials ?? []).flatMap(({ type }, index) =>
    type === 'mcp_oauth' ? [[['credentials', index, 'type'], type, 'OAuth credentials'] as const] : [],
  )

const ofDeployment = ({ budget }: DeploymentBody): readonly Field[] => [[['budget'], budget, 'budgets']]

export function claudeFieldRules(provider: string, title: string): readonly ProviderRule[] {
  const usual = {
    phase: 'declaration',
    severity: 'error',
    code: `${provider}.field-of-claude`,
    summary: 'A field belongs to claude alone',
    fix: 'Remove the field, or pin the declaration to claude.',
  } as const
  return [
    rule<AgentBody>({ ...usual, kind: 'agent', check: ({ declaration: { body } }) => stated(ofAgent(body), title) }),
    rule<VaultBody>({ ...usual, kind: 'vault', check: ({ declaration: { body } }) => stated(ofVault(body), title) }),
    rule<DeploymentBody>({
      ...usual,
      kind: 'deployment',
      check: ({ declaration: { body } }) => stated(ofDeployment(body), title),
    }),
  ]
}

function* stated(fields: readonly Field[], title: string): Iterable<Finding> {
  for (const [at, value, lacks] of fields)
    if (value !== undefined) yield { at, onKey: true, detail: `${title} has no ${lacks} that Steward could set.` }
}
