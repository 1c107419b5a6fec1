// `agents completion SHELL`: a script that completes commands and options.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { completionScript, shells } from '../completion-script.js'
import type { Context } from '../context.js'
import { exitCode } from '../exit-codes.js'

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

  override async execute(): Promise<number> {
    this.context.stdout.write(completionScript(this.shell, this.context.catalogue()))
    return exitCode.done
  }
}
