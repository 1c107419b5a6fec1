// `agents session run AGENT TEXT`: starts a session, prints what the agent writes, asks where a tool asks, and waits for
// the end of the turn.
import { Command, Option } from 'clipanion'
import type { SessionSign, ToolAnswer, ToolUse } from '../../core/plugin/sessions.js'
import type { SessionHandle } from '../../core/sessions/sessions.js'
import type { TurnState } from '../../core/sessions/turn.js'
import { renderToolUse, renderUsage, WrittenMessage } from '../render/session.js'
import { visible, visibleLines } from '../render/text.js'
import { NewSessionCommand } from '../shared/new-session-command.js'
import { reportWaiting } from '../shared/report-waiting.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { ask, canAsk } from '../terminal/questions.js'

const exitCodes: Readonly<Record<TurnState['type'], ExitCode>> = {
  none: exitCode.failed,
  running: exitCode.failed,
  done: exitCode.done,
  waiting: exitCode.partial,
  failed: exitCode.failed,
  ended: exitCode.failed,
}

/** Signs after which the agent does nothing by itself. */
const pauses: ReadonlySet<SessionSign['type']> = new Set(['rests', 'fails', 'ends'])

export class SessionRunCommand extends NewSessionCommand {
  static override paths = [['session', 'run']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Start a session with a message, and wait for its answer',
    details:
      'What the agent says goes to stdout while it is written, everything else to stderr. Where a tool asks for\n' +
      'permission, it asks here. Ctrl-C leaves the session running.\n' +
      'Exit codes: 0 the turn is over; 1 it failed; 3 the session waits for an answer, and there is no terminal to ask on.',
    examples: [
      ['Ask, and get the answer', 'agents session run helper "Review the last change"'],
      ['About a file', 'agents session run helper "Summarise app.log" --file logs/app.log --budget 2.50'],
      ['In a script', 'agents session run helper "Summarise the log" > summary.md'],
    ],
  })

  agent = Option.String({ name: 'AGENT' })
  text = Option.String({ name: 'TEXT' })

  /** Messages that are being written, by id. */
  readonly #written = new Map<string, WrittenMessage>()

  override async execute(): Promise<ExitCode> {
    const asked = this.request()
    const { createSession, requireSigns } = await import('../../core/sessions/create.js')
    const { SessionHandle } = await import('../../core/sessions/sessions.js')
    const { sessionKinds: kinds } = await import('../../plugins/kinds/session-kinds.js')
    return this.actWithOutcome(async (applied) => {
      const wanted = { kinds, runs: this.agent, provider: this.provider, message: this.text, ...asked }
      requireSigns(applied, wanted)
      const { provider, address, id, session, uploaded, notes } = await createSession(applied, wanted)
      this.output.report(notes)
      this.reportUploads(provider, uploaded)
      this.output.record({ type: 'session', provider, address, id, session })
      this.output.note(`${visible(id)}  ${address}`)
      const handle = new SessionHandle(applied, id, provider)
      const end = await this.#converse(handle)
      const usage = handle.usage(await handle.read())
      this.output.record({ type: 'summary', provider, id, outcome: end.type, ...(usage ? { usage } : {}) })
      if (end.type === 'failed') this.output.note(`The turn ended without a result: ${visible(end.reason)}.`)
      if (end.type === 'ended') this.output.note('The session ended.')
      const used = usage && renderUsage(usage)
      if (used !== undefined) this.output.note(`Used: ${used}.`)
      if (end.type === 'done')
        this.output.note(`To go on: agents session send ${visible(id)} TEXT --provider ${provider}`)
      return exitCodes[end.type]
    })
  }

  async #converse(handle: SessionHandle): Promise<TurnState> {
    const { Turn } = await import('../../core/sessions/turn.js')
    const turn = new Turn()
    for await (const event of handle.events({ follow: true, asWritten: !this.output.isJson })) {
      this.output.record({ type: 'event', provider: handle.provider, session: handle.id, event })
      const sign = handle.sign(event)
      if (!sign) continue
      const state = turn.take(sign)
      this.#show(sign)
      if (!pauses.has(sign.type) || state.type === 'none') continue
      if (state.type !== 'waiting') return state
      const answers = await this.#answers(turn.waitsFor, handle)
      if (answers === undefined) return state
      await handle.confirm(answers)
    }
    return turn.state
  }

  #show(sign: SessionSign): void {
    if (sign.type === 'uses') this.output.note(this.output.noteStyle.dim(renderToolUse(sign.tool)))
    if (sign.type === 'writes') {
      const message = this.#written.get(sign.id) ?? new WrittenMessage((text) => this.output.masked(text))
      this.#written.set(sign.id, message)
      this.output.write(message.write(sign.text))
    }
    if (sign.type !== 'says') return
    const written = this.#written.get(sign.id ?? '')
    if (written) this.output.write(`${written.end(sign.text)}\n`)
    else this.output.print(visibleLines(sign.text))
  }

  /** Returns undefined if nobody answers here. */
  async #answers(tools: readonly ToolUse[], handle: SessionHandle): Promise<readonly ToolAnswer[] | undefined> {
    const isAskable = tools.length > 0 && tools.every(({ awaits }) => awaits === 'permission')
    const answers: ToolAnswer[] = []
    if (isAskable && handle.canConfirm && !this.output.isJson && canAsk(this.context))
      for (const tool of tools) {
        this.output.note(`The agent asks for permission: ${renderToolUse(tool)}`)
        const answer = await ask(this.context, 'Allow it? y, n, or what to tell the agent instead: ')
        if (answer === undefined) break
        answers.push(answerOf(tool, answer))
      }
    if (tools.length > 0 && answers.length === tools.length) return answers
    reportWaiting(this.output, handle, tools)
    return undefined
  }
}

/** Only a clear yes allows. */
function answerOf({ id }: ToolUse, answer: string): ToolAnswer {
  if (/^y(es)?$/i.test(answer)) return { id, isAllowed: true }
  return /^(no?)?$/i.test(answer) ? { id, isAllowed: false } : { id, isAllowed: false, message: answer }
}
