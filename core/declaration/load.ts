// The declaration stage: turns the path of agents.yaml into a checked project, or into all problems of the file.
import { type Diagnostic, type Place, Problem } from '../diagnostic.js'
import type { Declaration, Finding, Project, ProviderDeclaration } from '../plugin/declaration.js'
import type { Kind } from '../plugin/kind.js'
import { type Builtins, builtinName } from '../plugin/loader.js'
import type { PluginConsent } from '../plugin/plugin-consent.js'
import type { Provider } from '../plugin/provider.js'
import { createRegistry, type Registry } from '../plugin/registry.js'
import type { Disk } from '../ports/disk.js'
import { attachSources, type SourcedDraft } from './attach-sources.js'
import type { Stage } from './checked.js'
import { Collector } from './collector.js'
import { type ParsedFile, parseFile } from './document.js'
import { type Dotenv, readDotenv } from './dotenv.js'
import { warnOfCuts } from './dotenv-cuts.js'
import { warnOfLiterals } from './dotenv-literals.js'
import { readSection } from './drafts.js'
import { Nodes } from './nodes.js'
import { createProject, indexByKindAndName } from './project.js'
import { readProjectName } from './project-name.js'
import { loadProviders, nameProviders } from './providers.js'
import { Reader } from './reader.js'
import { checkDefaults, checkReferences } from './references.js'
import { runRules } from './rules.js'
import { SchemaChecker } from './schema-check.js'
import { readSource, type SourceFile, shownPath } from './source.js'
import { SourceText } from './source-text.js'
import { checkTargets, readDefaults } from './targets.js'
import { readProviderEntries, readTopLevel } from './top-level.js'
import { UnsetVariables } from './unset.js'
import { KnownVariables } from './variables.js'

export interface LoadOptions {
  /** Path of agents.yaml, absolute or relative to the working folder. */
  readonly file: string
  /** Absolute path of the working folder. */
  readonly workingFolder: string
  readonly disk: Disk
  /** Environment variables of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly kinds: readonly Kind[]
  readonly builtins: Builtins
  /** Decides which plugins may run. Default: none. */
  readonly pluginConsent?: PluginConsent | undefined
  /** True if calls go to a local emulator. Unset variables under `providers` are then no problem. */
  readonly isEmulated: boolean
}

export interface LoadedProject {
  /** The project; absent if a diagnostic is an error. */
  readonly project: Project | undefined
  /** All kinds, and the providers that the file declares. */
  readonly registry: Registry
  /** Diagnostics of `.env` first, then those of agents.yaml in its order. */
  readonly diagnostics: readonly Diagnostic[]
  /** The text of the file; absent if it could not be parsed. */
  readonly source: Source | undefined
}

/** The project file, for later stages. */
export interface Source {
  /** Absolute path of the file. */
  readonly file: string
  /** SHA-256 of its bytes, lower-case hex. */
  readonly sha256: string
  /** Returns the position of a declaration, or of a node of its body. */
  place(declaration: Pick<Declaration, 'kind' | 'name'>, at?: Finding['at'], onKey?: boolean): Place | undefined
}

/**
 * Loads the project. Rejects only for bugs and for a failing disk; any content of the file, of `.env` or of a plugin
 * leads to diagnostics.
 */
export async function loadProject(options: LoadOptions): Promise<LoadedProject> {
  try {
    return await loadSource(options, await readSource(options.disk, options.file, options.workingFolder))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { project: undefined, registry: registryOf(options), diagnostics: error.diagnostics, source: undefined }
  }
}

async function loadSource(options: LoadOptions, file: SourceFile): Promise<LoadedProject> {
  const collector = new Collector(new SourceText(file.shownAs, file.text))
  const parsed = parseFile(collector)
  if (parsed) return loadParsed(options, { file, parsed, collector })
  return { project: undefined, registry: registryOf(options), diagnostics: collector.diagnostics(), source: undefined }
}

interface Parsed {
  readonly file: SourceFile
  readonly parsed: ParsedFile
  readonly collector: Collector
}

async function loadParsed(options: LoadOptions, { file, parsed, collector }: Parsed): Promise<LoadedProject> {
  const { disk, builtins } = options
  const { folder } = file
  const stage = await openStage(options, { file, parsed, collector })
  const named = nameProviders(stage, readProviderEntries(stage, parsed.root), builtins)
  for (const { name } of named) stage.providerNames.set(name, name)
  const { declarations: providers, loaded } = await loadProviders(stage, named, { ...options, folder })
  const registry = registryOf(options, loaded)
  const kinds = [...registry.kinds.values()]
  const mayHaveMore = named.some(({ name, plugin }) => plugin !== undefined && !loaded.has(name))
  const top = readTopLevel(stage, parsed.root, { kinds: registry.sections, mayHaveMore })
  for (const [name, { aliases }] of loaded) for (const alias of aliases) stage.providerNames.set(alias, name)

  const defaults = readDefaults(stage, top.defaults, { kinds, named })
  const projectName = readProjectName(stage, top.project)
  const canonicalWord = canonicalWords(registry)
  const drafted = top.sections.flatMap(({ entry, kind }) =>
    readSection(stage, entry, kind, { defaults, named, canonicalWord }),
  )
  const drafts = await attachSources(drafted, { collector, disk, place: { file: file.file, folder } })
  const declarations = new Map(drafts.filter(({ isWhole }) => isWhole).map((draft) => [declarationOf(draft), draft]))
  const project = projectOf({
    file,
    stage,
    providers,
    declarations: [...declarations.keys()],
    defaults: defaults.declared,
    ...(projectName === undefined ? {} : { name: projectName }),
  })

  checkTargets(stage, { drafts, defaults, named })
  checkDefaults(stage, { entry: top.defaults, defaults, drafts, kinds })
  checkReferences({ stage, drafts, project, registry })
  runRules({ stage, drafts: declarations, project, registry })
  stage.unset.report(collector)
  return {
    project: collector.errorCount === 0 ? project : undefined,
    registry,
    diagnostics: [
      ...cutValues(options, stage),
      ...collector.diagnostics((text, about) => stage.variables.conceal(text, about)),
    ],
    source: sourceOf(file, stage, drafts),
  }
}

/** Stage in which names of providers are added while they are loaded; the reader uses them later. */
interface OpenStage extends Stage {
  readonly dotenv: Dotenv | undefined
  readonly providerNames: Map<string, string>
}

async function openStage(
  { disk, environment, builtins }: LoadOptions,
  { file, parsed, collector }: Parsed,
): Promise<OpenStage> {
  const dotenv = file.text.includes('${')
    ? await readDotenv(disk, file.folder, environment['HOME'] ?? environment['USERPROFILE'])
    : undefined
  const variables = new KnownVariables(environment, dotenv?.values ?? new Map())
  const nodes = new Nodes(parsed.root, collector)
  const providerNames = new Map<string, string>()
  const reader = new Reader({
    collector,
    nodes,
    variables,
    hasStandIns: parsed.hasStandIns,
    providerName: (name) => providerNames.get(name) ?? builtinName(builtins, name),
    providerNames: () => [...new Set([...providerNames.values(), ...Object.keys(builtins)])],
  })
  return {
    collector,
    nodes,
    reader,
    variables,
    dotenv,
    checker: new SchemaChecker(),
    unset: new UnsetVariables(),
    providerNames,
  }
}

/**
 * Reports values of `.env` that `#` cuts short, or that shells read otherwise. Only variables that agents.yaml uses count, because other programs may
 * use the file too; so this is done after everything was read.
 */
function cutValues({ workingFolder }: LoadOptions, { dotenv, variables }: OpenStage): readonly Diagnostic[] {
  if (dotenv?.source === undefined) return []
  const { file, text } = dotenv.source
  const shown = { shownAs: shownPath(file, workingFolder), text, values: dotenv.values }
  const isUsed = (name: string) => variables.isUsedFromDotenv(name)
  return [...warnOfCuts(shown, isUsed), ...warnOfLiterals(shown, isUsed)]
}

function registryOf({ kinds }: LoadOptions, providers: ReadonlyMap<string, Provider> = new Map()): Registry {
  return createRegistry({ kinds, providers })
}

/**
 * Returns a function that replaces synonyms of enumerated values by their canonical spelling. The first kind or
 * provider that knows the value decides.
 */
function canonicalWords({ kinds, providers }: Registry): (field: string, word: string) => string {
  const tables = [...kinds.values(), ...providers.values()].flatMap(({ words }) => (words ? [words] : []))
  return (field, word) => {
    const table = tables.find((words) => Object.hasOwn(words[field] ?? {}, word))
    return table?.[field]?.[word] ?? word
  }
}

function declarationOf({ kind, name, body, targets, sources, inserted }: SourcedDraft): Declaration {
  return { kind: kind.kind, name, body, providers: targets, sources, inserted }
}

function projectOf(facts: {
  readonly file: SourceFile
  readonly stage: Stage
  readonly providers: ReadonlyMap<string, ProviderDeclaration>
  readonly declarations: readonly Declaration[]
  readonly defaults: Project['defaults']
  readonly name?: string
}): Project {
  const { file, stage, ...rest } = facts
  return createProject({ file: file.file, folder: file.folder, variables: stage.variables, ...rest })
}

function sourceOf({ file, sha256 }: SourceFile, { nodes, collector }: Stage, drafts: readonly SourcedDraft[]): Source {
  const byKind = indexByKindAndName(drafts, ({ kind, name }) => ({ kind: kind.kind, name }))
  return {
    file,
    sha256,
    place({ kind, name }, at = [], onKey = at.length === 0) {
      const draft = byKind.get(kind)?.get(name)
      return draft && collector.text.place(nodes.locate(draft.entry, at, onKey))
    },
  }
}
