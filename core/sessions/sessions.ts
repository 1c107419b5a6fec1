// Existing sessions: lists, reads, messages, watches and ends them, by the ids that providers assigned.

import type { Applied } from '../actions/applied.js'
import { withoutAbility } from '../actions/applied.js'
import { type Attempt, attemptedEach, explainingFailures } from '../actions/failures.js'
import type { Problem } from '../diagnostic.js'
import type { Remote } from '../plugin/handler.js'
import type { Provider } from '../plugin/provider.js'
import type {
  EventOptions,
  MadeFile,
  SessionEnd,
  SessionSign,
  Sessions,
  SessionUsage,
  ToolAnswer,
  ToolUse,
} from '../plugin/sessions.js'
import { problem } from '../problems/index.js'
import type { JsonObject } from '../value/tree.js'
import { Turn } from './turn.js'

const ability = 'sessions'
const withoutFiles = 'files of sessions that can be read'

export interface ListedSession {
  readonly provider: string
  readonly session: Remote
}

/** One session, on the requested provider or on the only possible one. */
export class SessionHandle {
  readonly provider: string
  private readonly sessions: Sessions<unknown>

  constructor(
    private readonly applied: Applied,
    readonly id: string,
    request?: string,
  ) {
    this.provider = applied.providerFor(request, ability, hasSessions)
    this.sessions = sessionsOf(applied.provider(this.provider))
  }

  read(): Promise<Remote> {
    return explainingFailures(this.attempt, () => this.sessions.read(this.call, this.id))
  }

  async send(text: string): Promise<Remote> {
    requireMessage(text)
    return explainingFailures(this.attempt, () => this.sessions.send(this.call, this.id, text))
  }

  /** Throws a `Problem` if files cannot be mounted into a session that exists. */
  requireAttach(): void {
    if (!this.sessions.attach) throw withoutAbility(this.provided, 'files that are added to a session')
  }

  /** Mounts an uploaded file. */
  attach(file: { readonly id: string; readonly name: string }): Promise<Remote> {
    const { attach } = this.sessions
    if (!attach) throw withoutAbility(this.provided, 'files that are added to a session')
    return explainingFailures(this.attempt, () => attach.call(this.sessions, this.call, this.id, file))
  }

  /** Yields the files that the session has made, newest first. */
  files(): AsyncGenerator<MadeFile> {
    const { files } = this.sessions
    if (!files) throw withoutAbility(this.provided, withoutFiles)
    return attemptedEach(this.attempt, files.call(this.sessions, this.call, this.id))
  }

  download(file: MadeFile): Promise<Uint8Array> {
    const { download } = this.sessions
    if (!download) throw withoutAbility(this.provided, withoutFiles)
    return explainingFailures(this.attempt, () => download.call(this.sessions, this.call, file))
  }

  events(options: EventOptions): AsyncGenerator<JsonObject> {
    return attemptedEach(this.attempt, this.sessions.events(this.call, this.id, options))
  }

  /** Returns what an event says; undefined = nothing that is known. */
  sign(event: JsonObject): SessionSign | undefined {
    return this.sessions.sign?.(event)
  }

  usage(session: Remote): SessionUsage | undefined {
    return this.sessions.usage?.(session)
  }

  /** True if tools that ask for permission can be answered here. */
  get canConfirm(): boolean {
    return this.sessions.confirm !== undefined
  }

  /** Reads the history for the uses of tools that the session waits for. */
  async waitsFor(): Promise<readonly ToolUse[]> {
    const turn = new Turn()
    for await (const event of this.events({ follow: false })) {
      const sign = this.sign(event)
      if (sign) turn.take(sign)
    }
    return turn.waitsFor
  }

  /** Answers tools that ask for permission. */
  confirm(answers: readonly ToolAnswer[]): Promise<Remote> {
    const { confirm } = this.sessions
    if (!confirm) throw this.withoutAnswers()
    return explainingFailures(this.attempt, () => confirm.call(this.sessions, this.call, this.id, answers))
  }

  archive(): Promise<void> {
    return explainingFailures(this.attempt, () => this.sessions.archive(this.call, this.id))
  }

  /** Removes the session and returns what was done, because some providers can only archive it. */
  async delete(): Promise<SessionEnd> {
    const remove = this.sessions.delete
    if (!remove) {
      await this.archive()
      return 'archived'
    }
    return explainingFailures(this.attempt, () => remove.call(this.sessions, this.call, this.id))
  }

  /** Returns the problem of a provider that takes no answers to tools that ask. */
  withoutAnswers(fix?: string): Problem {
    return withoutAbility(this.provided, 'answers to tools that ask', fix)
  }

  private get provided(): Provider {
    return this.applied.provider(this.provider)
  }

  private get call() {
    return this.applied.call(this.provider)
  }

  private get attempt(): Attempt {
    const { provider, id, applied } = this
    const mask = (text: string) => applied.options.project.variables.mask(text)
    return { subject: provider, mask, ifGone: () => unknownSession(provider, id) }
  }
}

/** Lists sessions of one resource, of one provider, or of all providers that have sessions. */
export async function* listSessions(
  applied: Applied,
  wanted: {
    readonly of?: { readonly kind: string; readonly name: string } | undefined
    readonly provider?: string | undefined
    readonly status?: string | undefined
  },
): AsyncGenerator<ListedSession> {
  const { status } = wanted
  const resource = wanted.of && applied.find({ ...wanted.of, provider: wanted.provider })
  const selected = resource ? [resource.providerName] : selectedProviders(applied, wanted.provider)
  for (const provider of status === undefined ? selected : withStatus(applied, selected, status)) {
    const sessions = sessionsOf(applied.provider(provider))
    const mask = (text: string) => applied.options.project.variables.mask(text)
    const listed = sessions.list(applied.call(provider), { agentId: resource?.row.id ?? undefined, status })
    for await (const session of attemptedEach({ subject: provider, mask }, listed)) yield { provider, session }
  }
}

function selectedProviders(applied: Applied, request: string | undefined): readonly string[] {
  const able = applied.providersWith(hasSessions)
  return request === undefined && able.length > 0 ? able : [applied.providerFor(request, ability, hasSessions)]
}

/** Returns the providers that have sessions of this status. Throws a `Problem` if none has. */
function withStatus(applied: Applied, names: readonly string[], status: string): readonly string[] {
  const statusesOf = (name: string) => sessionsOf(applied.provider(name)).statuses ?? []
  const able = names.filter((name) => statusesOf(name).includes(status))
  if (able.length > 0) return able
  const known = [...new Set(names.flatMap(statusesOf))]
  throw problem('session.unknown-status', {
    detail: `No session of ${names.join(' or ')} can be "${status}".`,
    ...(known.length > 0 ? { fix: `Name one of ${known.join(', ')}.` } : {}),
  })
}

export function sessionsOf(provider: Provider): Sessions<unknown> {
  if (!provider.sessions) throw withoutAbility(provider, ability)
  return provider.sessions
}

function hasSessions({ sessions }: Provider): boolean {
  return sessions !== undefined
}

function unknownSession(provider: string, id: string): Problem {
  return problem('session.unknown', { address: provider, detail: `${provider} has no session ${id}.` })
}

/** Throws `session.empty-message`, which every provider would refuse. */
export function requireMessage(text: string | undefined): void {
  if (text?.trim() === '')
    throw problem('session.empty-message', { detail: 'The message of the session is empty. Nothing was sent.' })
}
