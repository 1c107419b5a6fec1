// Rules for environments (agent configuration 2.5).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { isEmpty } from '../../../core/value/tree.js'
import type { EnvironmentBody } from '../../kinds/environment.js'
import { unlimitedNetwork } from '../../shared/unlimited-network.js'
import { packageManagers } from '../environment-config.js'
import { knownText } from './known-text.js'
import { metadataRules } from './metadata.js'

export const environmentLimits = { nameLengthMax: 255, setupScriptBytesMax: 64 * 1024 } as const

const accepted: ReadonlySet<string> = new Set(packageManagers)

/** Members of `config` that are allowed if the customer runs the sandboxes. */
const selfHostedKeys: ReadonlySet<string> = new Set(['type', 'setup_script'])

export const environmentRules: readonly ProviderRule[] = [
  rule<EnvironmentBody>({
    code: 'qoder.environment-package-manager',
    kind: 'environment',
    phase: 'declaration',
    severity: 'error',
    spec: '7.2',
    summary: 'Qoder does not install packages of this manager',
    fix: 'Install them in config.setup_script, or remove them.',
    *check({ declaration: { body } }) {
      for (const [manager, packages] of Object.entries(body.config?.packages ?? {})) {
        if (accepted.has(manager) || isEmpty(packages)) continue
        const detail = `Qoder takes apt, npm and pip packages; "${manager}" is reserved and must stay empty.`
        yield { at: ['config', 'packages', manager], onKey: true, detail }
      }
    },
  }),
  rule<EnvironmentBody>({
    code: 'qoder.environment-self-hosted-config',
    kind: 'environment',
    phase: 'declaration',
    severity: 'error',
    spec: '7.2',
    summary: 'A self-hosted environment has no such setting',
    fix: 'Remove it, or use "type: cloud".',
    *check({ declaration: { body } }) {
      if (body.config?.type !== 'self_hosted') return
      for (const key of Object.keys(body.config)) {
        if (selfHostedKeys.has(key)) continue
        const detail = `Whoever runs the sandboxes decides about ${key}; Qoder takes only type and setup_script here.`
        yield { at: ['config', key], onKey: true, detail }
      }
    },
  }),
  rule<EnvironmentBody>({
    code: 'qoder.environment-setup-script-too-large',
    kind: 'environment',
    phase: 'declaration',
    severity: 'error',
    spec: '2.5',
    summary: 'The setup script is too large',
    fix: 'Fetch the larger part of it while it runs.',
    *check({ declaration: { body }, project }) {
      const script = body.config?.setup_script
      if (script === undefined) return
      const bytes = Buffer.byteLength(knownText(script, project))
      if (bytes <= environmentLimits.setupScriptBytesMax) return
      const detail = `It has ${bytes} bytes of UTF-8; Qoder takes ${environmentLimits.setupScriptBytesMax} (64 KB).`
      yield { at: ['config', 'setup_script'], detail }
    },
  }),
  rule<EnvironmentBody>({
    code: 'qoder.environment-forward-network',
    kind: 'environment',
    phase: 'declaration',
    severity: 'error',
    spec: '2.5',
    summary: 'The forward API cannot limit the network of an environment',
    fix: 'Remove config.networking, or let managed agents use the environment.',
    *check({ declaration: { body }, api }) {
      if (api !== 'forward' || body.config?.networking?.type === 'unrestricted') return
      if (isEmpty(body.config?.networking)) return
      const detail =
        'Forward agents use this environment, and the forward API has no networking setting. Leaving it out silently would open the network.'
      yield { at: ['config', 'networking'], onKey: true, detail }
    },
  }),
  unlimitedNetwork('qoder'),
  rule<EnvironmentBody>({
    code: 'qoder.environment-name-too-long',
    kind: 'environment',
    phase: 'declaration',
    severity: 'error',
    summary: 'The name of the environment is too long',
    fix: 'Shorten it.',
    *check({ declaration: { name, body }, project }) {
      const { length } = knownText(body.name ?? name, project)
      if (length <= environmentLimits.nameLengthMax) return
      const detail = `It has ${length} characters; Qoder takes ${environmentLimits.nameLengthMax}.`
      yield { at: body.name === undefined ? [] : ['name'], detail }
    },
  }),
  ...metadataRules('environment'),
]
