// `agents session confirm ID`: answers tools of a session that ask for permission.
import { Command, Option } from 'clipanion'
import { problem } from '../../core/problems/index.js'
import { shellWord } from '../../core/value/shell-word.js'
import { usualFile } from '../line/global-options.js'
import { UsageProblem } from '../line/usage.js'
import { renderToolUse } from '../render/session.js'
import { visible } from '../render/text.js'
import { ActionCommand } from '../shared/action-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionConfirmCommand extends ActionCommand {
  static override paths = [['session', 'confirm']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Answer the tools of a session that ask for permission',
    details: 'Without --tool it answers all that ask. "agents session events" shows what a session asks for.',
    examples: [
      ['Let it go on', 'agents session confirm sess_01 --allow'],
      ['Refuse, with a reason for the agent', 'agents session confirm sess_01 --deny --message "Not on main"'],
      ['Answer one of several', 'agents session confirm sess_01 --tool sevt_02 --allow'],
    ],
  })

  session = Option.String({ name: 'ID' })
  allow = Option.Boolean('--allow', false, { description: 'The tools may run.' })
  deny = Option.Boolean('--deny', false, { description: 'The tools must not run; the agent goes on without them.' })
  message = Option.String('--message', { description: 'What the agent is told, with --deny.' })
  tools = Option.Array('--tool', { description: 'Answer this use of a tool only, by its id; repeatable.' })

  override async execute(): Promise<ExitCode> {
    const { allow, deny, message } = this
    const given = (this.tools ?? []).flatMap((id) => ['--tool', id])
    if (allow === deny)
      throw new UsageProblem('cli.wrong-usage', {
        detail: 'It needs either --allow or --deny.',
        fix: `Run ${this.#next('confirm', ...given, '--allow')} or: ${this.#next('confirm', ...given, '--deny')}`,
      })
    if (allow && message !== undefined)
      throw new UsageProblem('cli.wrong-usage', {
        detail: '--message goes with --deny; an agent that may go on is told nothing.',
        fix: `Run ${this.#next('confirm', ...given, '--allow')} or: ${this.#next('confirm', ...given, '--deny', '--message', message)}`,
      })
    const verdict = [allow ? '--allow' : '--deny', ...(message === undefined ? [] : ['--message', message])]
    const { SessionHandle } = await import('../../core/sessions/sessions.js')
    return this.act(async (applied) => {
      const handle = new SessionHandle(applied, this.session, this.provider)
      const look = `See what it does: ${this.#next('events')}`
      if (!handle.canConfirm) throw handle.withoutAnswers(look)
      const waiting = await handle.waitsFor()
      const asking = waiting.filter(({ awaits }) => awaits === 'permission')
      const where = `${handle.id} on ${handle.provider}`
      if (asking.length === 0) {
        const own = waiting.map(({ name }) => name).join(', ')
        const detail =
          own === '' ? 'waits for no answer' : `waits for the result of ${own}, which a program has to send`
        throw problem('session.asks-nothing', { detail: `${where} ${detail}.`, fix: look })
      }
      const unknown = this.tools?.find((id) => !asking.some((tool) => tool.id === id))
      if (unknown !== undefined) {
        const known = asking.map(({ id, name }) => `${id} (${name})`).join(', ')
        throw problem('session.unknown-tool-use', {
          detail: `${where} does not ask for ${unknown}. It asks for ${known}.`,
          fix: `Answer one of them: ${this.#next('confirm', '--tool', asking[0]?.id ?? '', ...verdict)} or all: ${this.#next('confirm', ...verdict)}`,
        })
      }
      const answered = asking.filter(({ id }) => this.tools?.includes(id) ?? true)
      const about = message === undefined ? {} : { message }
      const answer = await handle.confirm(answered.map(({ id }) => ({ id, isAllowed: allow, ...about })))
      const tools = answered.map(({ id, name }) => ({ id, name }))
      this.output.record({
        type: 'confirmed',
        provider: handle.provider,
        id: handle.id,
        isAllowed: allow,
        tools,
        answer,
      })
      for (const tool of answered) this.output.print(`${allow ? 'Allowed' : 'Denied'} ${renderToolUse(tool)}.`)
      this.output.note(
        `To follow it: agents session events ${visible(handle.id)} --follow --provider ${handle.provider}`,
      )
    })
  }

  /** Returns a command on this session as it can be pasted into a shell. */
  #next(command: string, ...options: readonly string[]): string {
    const provider = this.provider === undefined ? [] : ['--provider', this.provider]
    const config = this.config === usualFile ? [] : ['--config', this.config]
    return ['agents', 'session', command, this.session, ...options, ...provider, ...config].map(shellWord).join(' ')
  }
}
