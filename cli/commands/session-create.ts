// `agents session create AGENT`: starts a session of an applied agent.
import { Command, Option } from 'clipanion'
import { keyValues } from '../line/key-values.js'
import { visible } from '../render/text.js'
import { ActionCommand } from '../shared/action-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionCreateCommand extends ActionCommand {
  static override paths = [['session', 'create']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Start a session of an applied agent',
    details:
      'The session gets what the agent declares, and what is named here besides. Names are those of agents.yaml.\n' +
      'Everything that agents.yaml or a rule of the provider forbids is refused before any call.',
    examples: [
      ['Start, and say something', 'agents session create helper --message "Review the last change"'],
      ['With more than the agent declares', 'agents session create helper --vault keys --memory-store wiki --env CI=1'],
    ],
  })

  agent = Option.String({ name: 'AGENT' })
  identity = Option.String('--identity', {
    description: 'The end user. Default: defaults.identity, where there are any.',
  })
  environment = Option.String('--environment', { description: "Instead of the agent's own." })
  vault = Option.Array('--vault', { description: 'One more vault; repeatable.' })
  memoryStore = Option.Array('--memory-store', { description: 'One more memory store; repeatable.' })
  tunnel = Option.String('--tunnel', { description: "Instead of the agent's own." })
  files = Option.Array('--file', { description: 'One more file, mounted for the agent to read; repeatable.' })
  env = Option.Array('--env', { description: 'An environment variable, KEY=VALUE; repeatable.' })
  title = Option.String('--title', { description: 'What lists of sessions show.' })
  message = Option.String('--message', { description: 'Sent as soon as the session exists.' })

  override async execute(): Promise<ExitCode> {
    const variables = keyValues('--env', this.env ?? [])
    const { createSession } = await import('../../core/sessions/create.js')
    const { sessionKinds } = await import('../../plugins/kinds/session-kinds.js')
    return this.act(async (applied) => {
      const { provider, address, id, session, notes } = await createSession(applied, {
        kinds: sessionKinds,
        runs: this.agent,
        provider: this.provider,
        message: this.message,
        request: {
          ...given({
            identity: this.identity,
            environment: this.environment,
            tunnel: this.tunnel,
            title: this.title,
          }),
          vaults: this.vault ?? [],
          memoryStores: this.memoryStore ?? [],
          files: this.files ?? [],
          variables,
        },
      })
      this.output.report(notes)
      this.output.record({ type: 'session', provider, address, id, session })
      this.output.print(`${this.output.style.green('✓')} ${visible(id)}  ${address}`)
      this.output.note(`To follow it: agents session events ${id} --follow --provider ${provider}`)
    })
  }
}

/** Leaves out members that were not given: providers distinguish them from empty ones. */
function given<Key extends string>(
  members: Readonly<Record<Key, string | undefined>>,
): { readonly [K in Key]?: string } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in Key]?: string
  }
}
