// The capability table: kinds down, providers across, remarks below.
import type { Capability, Provider } from '../../core/plugin/provider.js'
import type { Style } from './style.js'
import { columns, visible } from './text.js'

const words: Readonly<Record<Capability['support'], string>> = {
  native: 'native',
  emulated: 'emulated',
  reference: 'reference',
  unsupported: '-',
}

/** A column: a provider, or one of its APIs. */
interface Lane {
  readonly provider: Described
  readonly api: string | undefined
}

type Described = Pick<Provider, 'name' | 'title' | 'capabilities'>

export function renderCapabilities(providers: readonly Described[], kinds: readonly string[], style: Style): string {
  const lanes = providers.flatMap((provider): readonly Lane[] => {
    const apis = new Set(provider.capabilities.flatMap(({ api }) => api ?? []))
    return apis.size === 0 ? [{ provider, api: undefined }] : [...apis].map((api) => ({ provider, api }))
  })
  const heading = lanes.map(({ provider, api }) => (api === undefined ? provider.name : `${provider.name} ${api}`))
  const rows = kinds.map((kind) => [kind, ...lanes.map(({ provider, api }) => cell(provider.capabilities, kind, api))])
  const remarks = providers.flatMap(({ name, capabilities }) =>
    capabilities.flatMap((capability) => remark(name, capability, style)),
  )
  return [
    columns([['', ...heading], ...rows]),
    ...(remarks.length === 0 ? [] : [remarks.join('\n')]),
    providers.map(({ name, title }) => `${name} is ${title}.`).join(' '),
  ].join('\n\n')
}

function cell(capabilities: readonly Capability[], kind: string, api: string | undefined): string {
  const rows = capabilities.filter((row) => row.kind === kind)
  const row = rows.find((found) => found.api === api) ?? rows.find((found) => found.api === undefined)
  return row ? words[row.support] : words.unsupported
}

function remark(provider: string, { kind, api, reason, instead }: Capability, style: Style): readonly string[] {
  if (reason === undefined && instead === undefined) return []
  const subject = `${provider}${api === undefined ? '' : ` ${api}`}, ${kind}:`
  return [
    `${style.bold(subject)} ${[reason, instead]
      .filter((text) => text !== undefined)
      .map(visible)
      .join('; ')}`,
  ]
}
