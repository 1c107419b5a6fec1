// Channels: messaging channels that reach an agent as one identity (agent configuration 2.3).
import { type Static, Type } from 'typebox'
import { kind, type Reference } from '../../core/plugin/kind.js'
import type { KindRule } from '../../core/plugin/rule.js'
import { AnyJson, Exact, NameOf, OneOf, ProviderName, Secret, Text, Word } from '../../core/plugin/schema.js'
import { hasPlaceholder } from '../../core/value/placeholder.js'
import { closest } from '../../core/value/suggestions.js'

const schema = Exact(
  {
    provider: Type.Optional(ProviderName()),
    agent: Type.Optional(NameOf('agent', { description: 'Agent that answers. Required in mode fixed.' })),
    identity: Type.Optional(
      NameOf('identity', {
        description: 'Identity the agent acts for. Required in mode fixed, where defaults.identity is the default.',
      }),
    ),
    type: Word({ minLength: 1, description: 'Messenger: dingtalk, feishu or wecom.', 'x-words': 'channel.type' }),
    mode: Type.Optional(
      OneOf(['fixed', 'pairing'], {
        description: 'fixed: bound to one identity and agent. pairing: transport only.',
        default: 'fixed',
      }),
    ),
    name: Type.Optional(Text({ minLength: 1, description: 'Display name. Left out: the key.' })),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether messages are accepted.', default: true })),
    credentials: Type.Optional(
      Type.Record(Type.String(), Secret({ minLength: 1 }), {
        description: 'Credentials of the channel type, such as client_id and client_secret.',
      }),
    ),
    options: Type.Optional(
      Type.Record(Type.String(), AnyJson(), {
        description: 'Response options, such as include_tool_calls.',
        examples: [{ include_tool_calls: false }],
      }),
    ),
  },
  { description: 'A messaging channel.' },
)

export type ChannelBody = Static<typeof schema>

const withoutAgent: KindRule<ChannelBody> = {
  code: 'channel.agent-missing',
  severity: 'error',
  spec: '2.3',
  summary: 'A fixed channel leads to no agent',
  fix: 'Add agent, or set mode to pairing.',
  *check({ body }) {
    if (body.mode === 'pairing' || body.agent !== undefined) return
    yield { at: [], detail: 'In mode fixed, the default, a channel is bound to one agent.' }
  },
}

const withoutIdentity: KindRule<ChannelBody> = {
  code: 'channel.identity-missing',
  severity: 'error',
  spec: '2.3',
  summary: 'A fixed channel has no identity',
  fix: 'Add identity or defaults.identity, or set mode to pairing.',
  *check({ body }, { defaults }) {
    if (body.mode === 'pairing' || (body.identity ?? defaults.identity) !== undefined) return
    yield { at: [], detail: 'In mode fixed, the default, a channel is bound to one identity.' }
  },
}

const ignored: KindRule<ChannelBody> = {
  code: 'channel.ignored-in-pairing',
  severity: 'warning',
  spec: '2.3',
  summary: 'A pairing channel ignores a field',
  fix: 'Remove the field, or set mode to fixed.',
  *check({ body }) {
    if (body.mode !== 'pairing') return
    for (const field of ['agent', 'identity'] as const) {
      if (body[field] !== undefined)
        yield { at: [field], onKey: true, detail: 'A pairing channel only transports messages.' }
    }
  },
}

const switches = ['include_tool_calls', 'include_thinking'] as const

const optionType: KindRule<ChannelBody> = {
  code: 'channel.option-not-boolean',
  severity: 'error',
  spec: '2.3',
  summary: 'A response option is neither true nor false',
  fix: 'Write true or false, without quotes.',
  *check({ body }) {
    for (const name of switches) {
      const value = body.options?.[name]
      if (value !== undefined && typeof value !== 'boolean' && !(typeof value === 'string' && hasPlaceholder(value)))
        yield {
          at: ['options', name],
          detail: `${name} is a switch, and ${JSON.stringify(value)} would be sent as it is.`,
        }
    }
  },
}

const optionSpelling: KindRule<ChannelBody> = {
  code: 'channel.option-misspelt',
  severity: 'warning',
  spec: '2.3',
  summary: 'A response option looks misspelt',
  fix: 'Correct the name, if it is not an option of the provider.',
  *check({ body }) {
    for (const name of Object.keys(body.options ?? {})) {
      const meant = switches.some((one) => one === name) ? undefined : closest(name, switches)
      if (meant !== undefined)
        yield { at: ['options', name], onKey: true, detail: `It is sent as it is. Did you mean ${meant}?` }
    }
  },
}

export const channel = kind({
  kind: 'channel',
  section: 'channels',
  summary: 'Messaging channels.',
  schema,
  references(body, project) {
    if (body.mode === 'pairing') return []
    const references: Reference[] = []
    if (body.agent !== undefined) references.push({ at: ['agent'], kind: 'agent', name: body.agent, role: 'value' })
    const name = body.identity ?? project.defaults.identity
    if (name !== undefined) references.push({ at: ['identity'], kind: 'identity', name, role: 'value' })
    return references
  },
  rules: [withoutAgent, withoutIdentity, ignored, optionType, optionSpelling],
})
