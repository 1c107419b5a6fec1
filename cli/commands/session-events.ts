// `agents session events ID`: prints the events of a session; with --follow also those to come.
import { Command, Option } from 'clipanion'
import { renderEvent } from '../render/remote.js'
import { ActionCommand } from '../shared/action-command.js'
import { reportWaiting } from '../shared/report-waiting.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionEventsCommand extends ActionCommand {
  static override paths = [['session', 'events']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Show the events of a session, or follow them',
    details:
      'With --follow it goes on until the session ends or Ctrl-C (exit code 130). A session that waits for an answer\n' +
      'says so, with the command that gives it.',
    examples: [
      ['The history', 'agents session events sess_01'],
      ['Watch it work', 'agents session events sess_01 --follow'],
      ['What the agent said', 'agents session events sess_01 --json | jq \'select(.type == "event") | .event\''],
    ],
  })

  session = Option.String({ name: 'ID' })
  follow = Option.Boolean('--follow', false, { description: 'Continue with new events.' })

  override async execute(): Promise<ExitCode> {
    const { SessionHandle } = await import('../../core/sessions/sessions.js')
    return this.act(async (applied) => {
      const { Turn } = await import('../../core/sessions/turn.js')
      const handle = new SessionHandle(applied, this.session, this.provider)
      const turn = new Turn()
      for await (const event of handle.events({ follow: this.follow })) {
        this.output.record({ type: 'event', provider: handle.provider, session: handle.id, event })
        this.output.print(renderEvent(event, this.output.style))
        const sign = handle.sign(event)
        const state = sign && turn.take(sign)
        if (this.follow && sign?.type === 'rests' && state?.type === 'waiting')
          reportWaiting(this.output, handle, turn.waitsFor)
      }
      if (!this.follow && turn.isWaiting) reportWaiting(this.output, handle, turn.waitsFor)
    })
  }
}
