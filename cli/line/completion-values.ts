// Sources of the values that completion offers for options and operands: fixed words, or `agents __complete SOURCE`.

/** Sources that are read when the key is pressed. */
export const sources = {
  /** Addresses of everything declared and recorded. */
  address: 'address',
  /** Addresses in state. */
  recorded: 'recorded',
  /** Paths that `agents explain` takes. */
  key: 'key',
} as const

export type Values =
  | { readonly from: 'list'; readonly words: readonly string[] }
  /** Argument of `agents __complete`: a key of `sources`, or a kind, for its declared names. */
  | { readonly from: 'project'; readonly source: string }

const words = (...list: readonly string[]): Values => ({ from: 'list', words: list })
const source = (name: string): Values => ({ from: 'project', source: name })

const providers = ['bailian', 'qoder', 'claude', 'ark']

/** Sources by option; by command and option where several commands have an option of that name. */
export const optionValues: Readonly<Record<string, Values>> = {
  '--provider': words(...providers, 'all'),
  'init --provider': words(...providers),
  '--recreate': words(...providers),
  '--target': source(sources.address),
  '--exclude': source(sources.address),
  'graph --format': words('dot', 'mermaid'),
  'documents list --state': words('pending', 'ready', 'failed', 'deleting'),
  'serve --log-level': words('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  'session create --environment': source('environment'),
  'session create --vault': source('vault'),
  'session create --memory-store': source('memory_store'),
  'session create --identity': source('identity'),
  'session create --tunnel': source('tunnel'),
  'session create --file': source('file'),
}

/** Sources of operands by command. File names are offered for all other operands. */
export const operandValues: Readonly<Record<string, Values>> = {
  explain: source(sources.key),
  completion: words('bash', 'zsh', 'fish'),
  import: source(sources.address),
  'state list': source(sources.recorded),
  'state show': source(sources.recorded),
  'state mv': source(sources.address),
  'state rm': source(sources.recorded),
  'session create': source('agent'),
  'session list': source('agent'),
  'deployment run': source('deployment'),
  'deployment runs': source('deployment'),
  'deployment pause': source('deployment'),
  'deployment resume': source('deployment'),
  'memory list': source('memory_store'),
  'memory show': source('memory_store'),
  'memory put': source('memory_store'),
  'memory rm': source('memory_store'),
  'memory versions': source('memory_store'),
}

export function valuesOfOption(path: string, names: readonly string[]): Values | undefined {
  return (
    names.flatMap((name) => optionValues[`${path} ${name}`] ?? [])[0] ??
    names.flatMap((name) => optionValues[name] ?? [])[0]
  )
}
