// `agents session list [AGENT]`: lists sessions at the providers.
import { Command, Option } from 'clipanion'
import type { JsonObject } from '../../core/value/tree.js'
import { renderRemotes } from '../render/remote.js'
import { countOf } from '../render/text.js'
import { ActionCommand } from '../shared/action-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionListCommand extends ActionCommand {
  static override paths = [['session', 'list']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'List sessions, of one agent or of all',
    examples: [
      ['Everything', 'agents session list'],
      ['Of one agent', 'agents session list helper'],
      ['That work now', 'agents session list --status running'],
      ['On one provider, for a program', 'agents session list --provider qoder --json'],
    ],
  })

  agent = Option.String({ name: 'AGENT', required: false })
  status = Option.String('--status', {
    description: 'Only sessions that stand so: idle, running, rescheduling, terminated, or a word of the provider.',
  })

  override async execute(): Promise<ExitCode> {
    const { listSessions } = await import('../../core/sessions/sessions.js')
    const { sessionKinds } = await import('../../plugins/kinds/session-kinds.js')
    return this.act(async (applied) => {
      const { agent, provider, status } = this
      const of = agent === undefined ? undefined : { kind: sessionKinds.runs, name: agent }
      const byProvider = new Map<string, JsonObject[]>()
      for await (const { provider: name, session } of listSessions(applied, { of, provider, status })) {
        this.output.record({ type: 'session', provider: name, id: session['id'], session })
        byProvider.set(name, [...(byProvider.get(name) ?? []), session])
      }
      this.show(byProvider)
    })
  }

  private show(byProvider: ReadonlyMap<string, readonly JsonObject[]>): void {
    const { output } = this
    const count = [...byProvider.values()].reduce((sum, sessions) => sum + sessions.length, 0)
    output.record({ type: 'summary', sessions: count })
    for (const [provider, sessions] of byProvider) {
      output.print(output.style.bold(provider))
      output.print(`${renderRemotes(sessions)}\n`)
    }
    output.print(count === 0 ? 'There are no sessions.' : `${countOf(count, 'session')}.`)
  }
}
