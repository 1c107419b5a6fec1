// Puts local files into drafts: the digest of every source, and the text of instructions in place of their path.

import type { LocalSource } from '../plugin/declaration.js'
import type { Disk } from '../ports/disk.js'
import { hasPlaceholder } from '../value/placeholder.js'
import { isObject, type Json } from '../value/tree.js'
import type { Collector } from './collector.js'
import type { Draft } from './drafts.js'
import type { ProjectPlace } from './kept-out.js'
import { declarationLimits } from './limits.js'
import { readLocalSource, type SourceResult } from './local-sources.js'
import { rangeOf } from './nodes.js'
import type { NamedPath } from './text-reader.js'

export interface SourcedDraft extends Draft {
  readonly sources: ReadonlyMap<string, LocalSource>
}

export async function attachSources(
  drafts: readonly Draft[],
  { collector, disk, place }: { readonly collector: Collector; readonly disk: Disk; readonly place: ProjectPlace },
): Promise<readonly SourcedDraft[]> {
  const results = await readAll(
    disk,
    place,
    drafts.flatMap(({ paths }) => paths),
  )
  return drafts.map((draft) => {
    const sources = new Map<string, LocalSource>()
    let { body } = draft
    for (const path of draft.paths) {
      const result = results.get(keyOf(path))
      if (result === undefined) continue
      if (result.type === 'problem') {
        const { code, type: _, ...report } = result
        collector.add(code, rangeOf(path.node), { ...report, address: draft.address })
        continue
      }
      sources.set(
        path.written,
        path.unexpanded === undefined ? result.source : { ...result.source, unexpanded: path.unexpanded },
      )
      if (result.text === undefined) continue
      const replaced = withText(body, path.at, result.text)
      if (isObject(replaced)) body = replaced
    }
    return { ...draft, body, sources }
  })
}

/** Reads sources a few at a time, each path once. Paths that wait for an unset variable are skipped. */
async function readAll(
  disk: Disk,
  place: ProjectPlace,
  paths: readonly NamedPath[],
): Promise<ReadonlyMap<string, SourceResult>> {
  const wanted = new Map(paths.filter(({ written }) => !hasPlaceholder(written)).map((path) => [keyOf(path), path]))
  const results = new Map<string, SourceResult>()
  const waiting = [...wanted].values()
  const work = async () => {
    for (const [key, path] of waiting) results.set(key, await readLocalSource(disk, place, path))
  }
  await Promise.all(Array.from({ length: declarationLimits.readsAtOnceMax }, work))
  return results
}

function keyOf({ kind, written, mustHold = '' }: NamedPath): string {
  return `${kind}\n${mustHold}\n${written}`
}

function withText(value: Json | undefined, [step, ...rest]: NamedPath['at'], text: string): Json {
  if (step === undefined) return text
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? withText(item, rest, text) : item))
  return isObject(value) ? { ...value, [step]: withText(value[step], rest, text) } : text
}
