// Words that people know from other programs, and the commands of this one that do the same.

/** Commands that may be meant, best first, by the last word of the unknown command. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  add: ['create', 'put', 'upload', 'import'],
  cancel: ['archive', 'delete', 'pause'],
  cat: ['show', 'text'],
  clear: ['rm', 'delete'],
  continue: ['resume'],
  delete: ['rm', 'delete'],
  describe: ['show'],
  disable: ['pause'],
  enable: ['resume'],
  end: ['archive'],
  fetch: ['download', 'show'],
  follow: ['events'],
  force_unlock: ['unlock'],
  get: ['show', 'download'],
  history: ['versions', 'runs', 'events'],
  inspect: ['show'],
  list: ['list', 'runs'],
  logs: ['events', 'runs'],
  ls: ['list', 'runs'],
  move: ['mv'],
  new: ['create'],
  put: ['upload', 'put'],
  remove: ['rm', 'delete'],
  rename: ['mv'],
  rm: ['rm', 'delete'],
  schedule: ['resume'],
  set: ['put'],
  start: ['create', 'run'],
  stop: ['archive', 'pause'],
  suspend: ['pause'],
  tail: ['events'],
  trigger: ['run'],
  unpause: ['resume'],
  write: ['put'],
}

/** Commands that may be meant, by a first word that is not a command. */
const commands: Readonly<Record<string, string>> = {
  chat: 'session create',
  check: 'validate',
  console: 'explain',
  create: 'apply',
  delete: 'destroy',
  deploy: 'apply',
  describe: 'explain',
  diff: 'plan',
  doc: 'explain',
  docs: 'explain',
  down: 'destroy',
  export: 'sync',
  fmt: 'validate',
  lint: 'validate',
  list: 'state list',
  login: 'init',
  logs: 'session events',
  ls: 'state list',
  models: 'explain agent.model',
  mv: 'state mv',
  new: 'init',
  output: 'state show',
  preview: 'plan',
  ps: 'session list',
  pull: 'sync',
  refresh: 'plan --refresh-only',
  remove: 'destroy',
  rm: 'state rm',
  run: 'deployment run',
  show: 'state show',
  taint: 'destroy --target',
  teardown: 'destroy',
  test: 'validate',
  unlock: 'state unlock',
  up: 'apply',
  version: '--version',
  workspace: 'plan --config',
}

/** Returns command lines that may be meant, by a single word: `plan --refresh-only` for `refresh`. */
export function meantCommand(word: string): string | undefined {
  return Object.hasOwn(commands, word) ? commands[word] : undefined
}

/** Returns the command of a group that the verb means, such as `memory rm`. */
export function meantInGroup(verb: string, paths: readonly string[]): string | undefined {
  const key = verb.replaceAll('-', '_')
  const wanted = Object.hasOwn(verbs, key) ? (verbs[key] ?? []) : []
  return wanted.flatMap((word) => paths.filter((path) => path.endsWith(` ${word}`)))[0]
}
