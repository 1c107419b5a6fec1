// The capability table: kinds down, providers across, remarks below.
import { capabilitiesOf } from '../../core/plugin/capabilities.js'
import type { Capability } from '../../core/plugin/capability.js'
import type { Provider } from '../../core/plugin/provider.js'
import { capabilityIn, type Lane, lanesOf } from '../../plugins/kinds/lanes.js'
import type { Style } from './style.js'
import { columns, visible } from './text.js'

const words: Readonly<Record<Capability['support'], string>> = {
  native: 'native',
  emulated: 'emulated',
  reference: 'reference',
  unsupported: '-',
}

export function renderCapabilities(providers: readonly Provider[], kinds: readonly string[], style: Style): string {
  const lanes = lanesOf(providers)
  const heading = lanes.map(({ name }) => name)
  const rows = kinds.map((kind) => [kind, ...lanes.map((lane) => cell(lane, kind))])
  const remarks = providers.flatMap((provider) =>
    kinds.flatMap((kind) => capabilitiesOf(provider, kind).flatMap((row) => remark(provider.name, row, style))),
  )
  return [
    columns([['', ...heading], ...rows]),
    ...(remarks.length === 0 ? [] : [remarks.join('\n')]),
    providers.map(({ name, title }) => `${name} is ${title}.`).join(' '),
  ].join('\n\n')
}

function cell(lane: Lane, kind: string): string {
  return words[capabilityIn(lane, kind)?.support ?? 'unsupported']
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
