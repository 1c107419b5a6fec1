// `agents completion SHELL`: a script that completes commands and options.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { completionScript, shells } from '../line/completion-script.js'
import { Output } from '../render/output.js'
import type { Context } from '../terminal/context.js'
import { exitCode } from '../terminal/exit-codes.js'

export class CompletionCommand extends Command<Context> {
  static override paths = [['completion']]
  static override usage = Command.Usage({
    category: 'Local',
    description: 'Print a completion script for bash, zsh or fish',
    examples: [
      ['For this bash', 'source <(agents completion bash)'],
      ['For zsh', "agents completion zsh > ~/.zfunc/_agents   # with 'fpath+=~/.zfunc' before compinit"],
      ['For fish', 'agents completion fish > ~/.config/fish/completions/agents.fish'],
    ],
  })

  shell = Option.String({ name: 'SHELL', validator: t.isEnum(shells) })

  json = Option.Boolean('--json', false, { description: 'Print the script as a record (docs/json.md).' })

  override async execute(): Promise<number> {
    const script = completionScript(this.shell, this.context.catalogue())
    if (this.json) new Output(this.context, { isJson: true }).record({ type: 'script', shell: this.shell, script })
    else this.context.stdout.write(script)
    return exitCode.done
  }
}
