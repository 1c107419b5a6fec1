// Runs the rules of kinds and providers on declarations, and adds the position of each finding.
import type { ProblemText } from '../diagnostic.js'
import { capabilityOf } from '../plugin/capabilities.js'
import type { Declaration, Finding, Project } from '../plugin/declaration.js'
import type { Provider } from '../plugin/provider.js'
import type { Registry } from '../plugin/registry.js'
import type { RuleText } from '../plugin/rule.js'
import { formatAddress } from '../value/address.js'
import { listed } from '../value/suggestions.js'
import type { SourcedDraft } from './attach-sources.js'
import type { Stage } from './checked.js'
import type { ProblemCode } from './problems.js'

export interface RuleRequest {
  readonly stage: Stage
  /** Drafts that rules can judge, by their declarations. */
  readonly drafts: ReadonlyMap<Declaration, SourcedDraft>
  readonly project: Project
  readonly registry: Registry
}

export function runRules(request: RuleRequest): void {
  const apis = new Map([...request.project.providers.keys()].map((name) => [name, placeAll(request, name)]))
  for (const [declaration, draft] of request.drafts) {
    for (const rule of draft.kind.rules) {
      for (const finding of rule.check(declaration, request.project))
        report(request, { declaration, text: rule, finding, address: draft.address })
    }
    const unsupported = declaration.providers.names.filter(
      (name) => !runProviderRules(request, declaration, name, apis),
    )
    if (unsupported.length > 0) reportUnsupported(request, declaration, unsupported)
  }
}

/**
 * Runs the provider's rules. Returns false if the provider lacks the kind. A declaration that only refers to an
 * existing object is not checked, because nothing of it is sent.
 */
function runProviderRules(
  request: RuleRequest,
  declaration: Declaration,
  name: string,
  apis: ReadonlyMap<string, ReadonlyMap<string, string>>,
): boolean {
  const provider = request.registry.provider(name)
  if (!provider) return true
  const address = formatAddress({ provider: name, kind: declaration.kind, name: declaration.name })
  const api = apis.get(name)?.get(address) ?? ''
  if (!isSupported(provider, declaration.kind, api)) return false
  const kind = request.registry.kinds.get(declaration.kind)
  if (kind?.external?.(declaration.body) !== undefined) return true
  for (const rule of provider.rules) {
    if (rule.kind !== declaration.kind || rule.phase !== 'declaration') continue
    const findings = rule.check({ declaration, project: request.project, provider: name, api })
    for (const finding of findings) report(request, { declaration, text: rule, finding, address })
  }
  return true
}

/** Texts of a placement problem for which the provider has no text of its own. */
const notPlaced: ProblemText = {
  severity: 'error',
  summary: 'A resource cannot be placed',
  fix: 'Declare separate resources.',
}

/** Returns the API of each resource of a provider, by address. */
function placeAll(request: RuleRequest, name: string): ReadonlyMap<string, string> {
  const { project, registry } = request
  const provider = registry.provider(name)
  if (!provider?.place) return new Map()
  const placeable = project.declarations
    .filter(({ providers }) => providers.names.includes(name))
    .map((declaration) => ({
      address: formatAddress({ provider: name, kind: declaration.kind, name: declaration.name }),
      declaration,
    }))
  const { apis, findings } = provider.place(placeable, project)
  for (const { declaration, code, finding } of findings) {
    const { kind } = declaration
    const text = { ...(provider.problems?.[code] ?? notPlaced), code }
    report(request, {
      declaration,
      text,
      finding,
      address: formatAddress({ provider: name, kind, name: declaration.name }),
    })
  }
  return apis
}

interface ReportedFinding {
  readonly declaration: Declaration
  readonly text: RuleText
  readonly finding: Finding
  readonly address: string
}

function report({ stage, drafts }: RuleRequest, { declaration, text, finding, address }: ReportedFinding): void {
  const entry = drafts.get(declaration)?.entry
  const { at, onKey = at.length === 0, detail, fix } = finding
  const range = entry && stage.nodes.locate(entry, at, onKey)
  stage.collector.addRule(text, range, { detail, address, ...(fix === undefined ? {} : { fix }) })
}

function isSupported(provider: Provider, kind: string, api: string): boolean {
  return capabilityOf(provider, kind, api).support !== 'unsupported'
}

function reportUnsupported(
  { stage, drafts, registry }: RuleRequest,
  declaration: Declaration,
  unsupported: readonly string[],
): void {
  const { kind, providers } = declaration
  const draft = drafts.get(declaration)
  const things = (registry.kinds.get(kind)?.section ?? kind).replaceAll('_', ' ')
  const isEverywhere = unsupported.length === providers.names.length
  const code: ProblemCode = isEverywhere ? 'provider.unsupported' : 'provider.partly-unsupported'
  const capabilities = unsupported.map((name) => {
    const provider = registry.provider(name)
    return { title: provider?.title ?? name, ...(provider && capabilityOf(provider, kind, '')) }
  })
  const reasons = capabilities.flatMap(({ reason }) => (reason === undefined ? [] : [reason]))
  const [instead] = capabilities.flatMap((capability) => (capability.instead === undefined ? [] : [capability.instead]))
  stage.collector.add(code, draft && stage.nodes.locate(draft.entry, [], true), {
    detail: `${listed(capabilities.map(({ title }) => title))} has no ${things}${reasons.length === 0 ? '' : `: ${[...new Set(reasons)].join('; ')}`}.`,
    ...(instead === undefined ? {} : { fix: sentence(instead) }),
    address: draft?.address ?? `${kind}.${declaration.name}`,
  })
}

function sentence(phrase: string): string {
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`
}
