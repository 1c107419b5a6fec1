// The files of a plugin, as shown to the person who allows it: those of the project one by one, packages as a whole.
import { relative } from 'node:path'
import type { NamedPlugin } from '../../core/plugin/plugin-consent.js'
import { countOf, visible } from './text.js'

export function renderPlugin({ specifier, folder, content }: NamedPlugin): string {
  const own: string[] = []
  const packages = new Map<string, { count: number; sizeBytes: number }>()
  for (const { path, sizeBytes } of content.files) {
    const name = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
    if (name === undefined) {
      own.push(`  ${shown(folder, path)}  ${countOf(sizeBytes, 'byte')}`)
      continue
    }
    const known = packages.get(name) ?? { count: 0, sizeBytes: 0 }
    packages.set(name, { count: known.count + 1, sizeBytes: known.sizeBytes + sizeBytes })
  }
  const whole = [...packages].map(
    ([name, { count, sizeBytes }]) =>
      `  ${shown(folder, name)}  ${countOf(count, 'file')}, ${countOf(sizeBytes, 'byte')}`,
  )
  // Names of files are a stranger's.
  const lines = [`${specifier} runs code from:`, ...own, ...whole]
  return [...lines.map((line) => visible(line)), `  SHA-256 ${content.sha256}`].join('\n')
}

function shown(folder: string, path: string): string {
  const inside = relative(folder, path)
  return inside.startsWith('..') ? path : inside
}
