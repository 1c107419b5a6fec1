// Every code the program can raise, from the tables and rules it raises them by.

import { documentsProblems } from '../../cli/documents/problems.js'
import { cliProblems } from '../../cli/line/problems.js'
import { problems } from '../../core/declaration/problems.js'
import type { ProblemText } from '../../core/diagnostic.js'
import { actionProblems } from '../../core/problems/actions.js'
import { applyProblems } from '../../core/problems/apply.js'
import { callProblems } from '../../core/problems/calls.js'
import { planProblems } from '../../core/problems/plan.js'
import { stateProblems } from '../../core/problems/state.js'
import { syncProblems } from '../../core/problems/sync.js'
import { builtins } from '../../plugins/builtins.js'
import { kinds } from '../../plugins/kinds/index.js'
import { skillProblems } from '../../plugins/shared/problems.js'
import { findingTexts } from '../../server/check/findings.js'
import { serveProblems } from '../../server/settings/problems.js'

export interface CatalogueEntry extends ProblemText {
  readonly code: string
  /** Clauses of the specification, `2.15`. */
  readonly clauses: readonly string[]
  /** Kind whose declarations a rule checks. */
  readonly kind?: string
}

export interface CatalogueGroup {
  readonly title: string
  readonly about: string
  readonly entries: readonly CatalogueEntry[]
}

export async function readCatalogue(): Promise<readonly CatalogueGroup[]> {
  return [
    {
      title: 'The file',
      about: 'What agents.yaml says and how it is written. Told by every command that reads the file.',
      entries: fromTable(problems),
    },
    {
      title: 'Resources',
      about: 'Rules that hold for a kind of resource on every provider.',
      entries: merged(
        kinds.flatMap(({ kind, rules }) => rules.map((rule) => entryOf(rule, kind))),
        fromTable(skillProblems),
      ),
    },
    ...(await Promise.all(Object.values(builtins).map(providerGroup))),
    {
      title: 'Plans',
      about: 'When agents.yaml, state and the providers are compared.',
      entries: fromTable(planProblems),
    },
    { title: 'Applying', about: 'While a plan is carried out.', entries: fromTable(applyProblems) },
    { title: 'Calls', about: 'What a provider answered.', entries: fromTable(callProblems) },
    { title: 'State', about: 'agents.state.json, its journal and its lock.', entries: fromTable(stateProblems) },
    { title: 'Sync and import', about: 'When the file is written from what exists.', entries: fromTable(syncProblems) },
    {
      title: 'Sessions, deployments and memories',
      about: 'Commands that use what was applied.',
      entries: fromTable(actionProblems),
    },
    { title: 'The command line', about: 'Before any work begins.', entries: fromTable(cliProblems) },
    {
      title: 'Documents',
      about: 'Between the documents commands and a document server.',
      entries: fromTable(documentsProblems),
    },
    {
      title: 'The document server',
      about: 'What keeps `agents serve` from starting. Refusals of its API are explained in its own reference.',
      entries: fromTable(serveProblems),
    },
    {
      title: 'Stored documents',
      about: 'What `agents serve --check` finds wrong with the data of a stopped server.',
      entries: fromTable(findingTexts),
    },
  ]
}

async function providerGroup({ load }: (typeof builtins)[string]): Promise<CatalogueGroup> {
  const provider = await load()
  const own = Object.entries(provider.problems ?? {}).filter(([code]) => !Object.hasOwn(skillProblems, code))
  return {
    title: provider.title,
    about: `Rules of ${provider.title} for what is declared, and what can go wrong there.`,
    entries: merged(
      provider.rules.map((rule) => entryOf(rule, rule.kind)),
      fromTable(Object.fromEntries(own)),
    ),
  }
}

function fromTable(table: Readonly<Record<string, ProblemText>>): readonly CatalogueEntry[] {
  return Object.entries(table).map(([code, text]) => ({ code, clauses: [], ...text }))
}

function entryOf(rule: ProblemText & { readonly code: string; readonly spec?: string }, kind: string): CatalogueEntry {
  const { code, severity, summary, fix, spec } = rule
  return { code, severity, summary, fix, kind, clauses: spec === undefined ? [] : [spec] }
}

/** Merges entries: several rules, and a session as well, may report one code. */
function merged(...lists: readonly (readonly CatalogueEntry[])[]): readonly CatalogueEntry[] {
  const byCode = new Map<string, CatalogueEntry>()
  for (const entry of lists.flat()) {
    const known = byCode.get(entry.code)
    const clauses = [...new Set([...(known?.clauses ?? []), ...entry.clauses])]
    byCode.set(entry.code, { ...entry, ...known, clauses })
  }
  return [...byCode.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}
