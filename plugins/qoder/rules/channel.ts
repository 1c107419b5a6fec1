// Rules for channels and identities, which only the forward API has (agent configuration 2.2, 2.3).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import type { ChannelBody } from '../../kinds/channel.js'
import type { IdentityBody } from '../../kinds/identity.js'
import { channelCredentials } from '../channel-credentials.js'
import { deliveryOf } from '../delivery.js'
import { metadataRules } from './metadata.js'

/** Types that are bound by scanning a QR code, which cannot be declared. */
const boundByQrCode: ReadonlySet<string> = new Set(['wechat'])

const kind = 'channel'
const phase = 'declaration'
const severity = 'error'

export const channelRules: readonly ProviderRule[] = [
  rule<ChannelBody>({
    code: 'qoder.channel-type-qr-only',
    kind,
    phase,
    severity,
    spec: '2.3',
    summary: 'This type of channel is bound by a QR code',
    fix: `Bind it on the website of Qoder, or use ${Object.keys(channelCredentials).join(', ')}.`,
    *check({ declaration: { body } }) {
      if (!boundByQrCode.has(body.type)) return
      yield { at: ['type'], detail: `A person has to scan a code to bind "${body.type}", so it cannot be declared.` }
    },
  }),
  rule<ChannelBody>({
    code: 'qoder.channel-type-unknown',
    kind,
    phase,
    severity,
    spec: '2.3',
    summary: 'Qoder has no channel of this type',
    fix: `Use one of ${Object.keys(channelCredentials).join(', ')}.`,
    *check({ declaration: { body } }) {
      if (body.type in channelCredentials || boundByQrCode.has(body.type)) return
      yield { at: ['type'], detail: `"${body.type}" is not a type that signs in with credentials.` }
    },
  }),
  rule<ChannelBody>({
    code: 'qoder.channel-credentials',
    kind,
    phase,
    severity,
    spec: '2.3',
    summary: 'The credentials do not fit the type of the channel',
    fix: 'Declare exactly the credentials of this type.',
    *check({ declaration: { body } }) {
      const needed = channelCredentials[body.type]
      if (!needed) return
      const given = Object.keys(body.credentials ?? {})
      const missing = needed.filter((name) => !given.includes(name))
      const superfluous = given.filter((name) => !needed.includes(name))
      if (missing.length === 0 && superfluous.length === 0) return
      const faults = [
        ...(missing.length === 0 ? [] : [`${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`]),
        ...(superfluous.length === 0 ? [] : [`there is no credential ${superfluous.join(' and no ')}`]),
      ]
      yield {
        at:
          missing.length === 0
            ? ['credentials', superfluous[0] ?? '']
            : body.credentials === undefined
              ? []
              : ['credentials'],
        onKey: true,
        detail: `${body.type} needs ${needed.join(' and ')}; ${faults.join(', and ')}.`,
      }
    },
  }),
  rule<ChannelBody>({
    code: 'qoder.channel-agent-not-forward',
    kind,
    phase,
    severity,
    spec: '7.10',
    summary: 'A fixed channel needs a forward agent',
    fix: 'Set delivery.qoder.type of the agent to forward, or mode to pairing.',
    *check({ declaration: { body }, project }) {
      if (body.mode === 'pairing' || body.agent === undefined) return
      const agent = project.find('agent', body.agent)
      if (!agent || deliveryOf(agent.body as AgentBody) === 'forward') return // The kind says which body it is.
      yield { at: ['agent'], detail: `"${body.agent}" is delivered by the managed API, which has no channels.` }
    },
  }),
]

export const identityRules: readonly ProviderRule[] = [
  rule<IdentityBody>({
    code: 'qoder.identity-blank',
    kind: 'identity',
    phase,
    severity,
    spec: '2.2',
    summary: 'A name of the identity is blank',
    fix: 'Write something other than spaces.',
    *check({ declaration: { body } }) {
      for (const field of ['external_id', 'name'] as const) {
        if (body[field]?.trim() === '') yield { at: [field], detail: `Qoder refuses a blank ${field}.` }
      }
    },
  }),
  ...metadataRules('identity', { markPairs: 0 }),
]
