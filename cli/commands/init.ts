// `agents init`: writes a working agents.yaml and the files beside it.
import { Command, Option } from 'clipanion'
import { closest } from '../../core/value/suggestions.js'
import { UsageProblem } from '../line/usage.js'
import type { FileReport, StarterRequest } from '../project/create-project.js'
import { EngineCommand } from '../project/engine-command.js'
import { type Starter, starterNames, starters } from '../project/starter.js'
import { columns, listed, visible } from '../render/text.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { ask, canAsk } from '../terminal/questions.js'

function starterNamed(written: string): Starter | undefined {
  return starters.find(({ provider, aliases }) => [provider, ...aliases].includes(written.toLowerCase()))
}

const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/

export class InitCommand extends EngineCommand {
  static override paths = [['init']]
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Write a working agents.yaml',
    details:
      'Writes agents.yaml, its schema for editors and a placeholder .env, and keeps state and secrets out of git.\n' +
      'Nothing that exists is overwritten; beside an agents.yaml that exists, what is missing is written.',
    examples: [
      ['Be asked', 'agents init'],
      ['Without questions', 'agents init --provider qoder --name helper --yes'],
    ],
  })

  provider = Option.String('--provider', { description: `${listed(starters.map(({ provider }) => provider))}.` })

  name = Option.String('--name', {
    description: 'Logical name of the first agent. Default PROJECT-helper, by the name of the folder.',
  })

  yes = Option.Boolean('-y,--yes', false, { description: 'Ask nothing.' })

  override async execute(): Promise<ExitCode> {
    const { completeExisting, createProject, projectPath, warnOfReadable, warnOfUnreadableIgnored } = await import(
      '../project/create-project.js'
    )
    const names = starterNames(projectPath(this))
    const completed = await completeExisting(this)
    if (completed) {
      this.reportFiles(completed)
      this.output.report([...(await warnOfReadable(this)), ...(await warnOfUnreadableIgnored(this))])
      return exitCode.done
    }
    const request: StarterRequest = {
      starter: await this.chooseProvider(),
      names: { ...names, agent: await this.chooseName(names.agent) },
    }
    this.reportFiles(await createProject(this, request))
    this.output.record({ type: 'project', name: names.project })
    this.output.report([...(await warnOfReadable(this)), ...(await warnOfUnreadableIgnored(this))])
    this.printNextSteps(request)
    return exitCode.done
  }

  private reportFiles(files: readonly FileReport[]): void {
    for (const { name, action } of files) {
      this.output.record({ type: 'file', name, action })
      this.output.print(`${action.padEnd(8)}  ${name}`)
    }
  }

  private async chooseProvider(): Promise<Starter> {
    const names = starters.map(({ provider }) => provider)
    if (this.provider === undefined && !this.mayAsk)
      throw new UsageProblem('init.provider-missing', {
        detail: 'Without a terminal to ask on, init needs --provider to know where the agent runs.',
        fix: `Add --provider with ${listed(names)}.`,
      })
    if (this.provider === undefined) return this.askProvider(names)
    const found = starterNamed(this.provider)
    if (found) return found
    throw new UsageProblem('init.unknown-provider', { detail: `"${this.provider}" is not one of ${listed(names)}.` })
  }

  /** Asks again after a typing error; Ctrl-C and Ctrl-D end the question. */
  private async askProvider(names: readonly string[]): Promise<Starter> {
    const { output, context } = this
    output.note(
      `Which provider is the first agent for?\n${columns(
        starters.map((one) => [one.provider, one.title]),
        '  ',
      )}`,
    )
    for (;;) {
      const written = await ask(context, `Provider (${names.join(', ')}): `)
      if (written === undefined) throw new UsageProblem('init.provider-missing', { detail: 'No provider was named.' })
      const found = starterNamed(written)
      if (found) return found
      const meant = closest(written, names)
      output.note(
        written === ''
          ? 'Type one of the names.'
          : `There is no "${written}".${meant ? ` Did you mean ${meant}?` : ''}`,
      )
    }
  }

  private async chooseName(usual: string): Promise<string> {
    for (;;) {
      const isAsked = this.name === undefined && this.mayAsk
      const typed = isAsked ? await ask(this.context, `Name of the first agent (${usual}): `) : this.name
      const name = typed === undefined || typed === '' ? usual : typed
      if (namePattern.test(name)) return name
      const detail = `"${name}" cannot be the name of an agent: it takes letters, digits, - and _, begins with a letter, and has at most 63 characters.`
      if (!isAsked) throw new UsageProblem('init.bad-name', { detail })
      this.output.note(detail)
    }
  }

  private get mayAsk(): boolean {
    return !this.yes && canAsk(this.context)
  }

  private printNextSteps({ starter: { variables }, names }: StarterRequest): void {
    this.output.print(`
The project is ${visible(names.project)}: that is what project: in ${this.config} says, and what the marks on its objects
will say. It stays so in a folder of another name; another project in the same account needs another name.

Try it without an account:
  agents emulate -- agents plan
For real, put ${listed(Object.values(variables))} into .env, then:
  agents plan
  agents apply`)
  }
}
