// `agents validate`: prints all problems of agents.yaml; needs no secrets and sends no request.
import { Command } from 'clipanion'
import { emulatorAddress } from '../project/emulator-address.js'
import { EngineCommand } from '../project/engine-command.js'
import { countDiagnostics, countSeverity, renderDiagnostics } from '../render/diagnostics.js'
import { counted } from '../render/text.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class ValidateCommand extends EngineCommand {
  static override paths = [['validate']]
  static override usage = Command.Usage({
    category: 'Start',
    description: 'Check agents.yaml without asking any provider',
    details: 'Tells every problem at once, each with its place and what to do. Variables need not be set.',
    examples: [
      ['The file here', 'agents validate'],
      ['Another file, for a program', 'agents validate --config team/agents.yaml --json'],
    ],
  })

  override async execute(): Promise<ExitCode> {
    const { loadFile } = await import('../project/open-project.js')
    const { project, diagnostics } = await loadFile(this, emulatorAddress(this.context.env))
    const { output } = this
    if (output.isJson) output.report(diagnostics)
    else if (diagnostics.length > 0) output.print(`${renderDiagnostics(diagnostics, output.style)}\n`)
    const resources = project?.declarations.length ?? 0
    output.record({
      type: 'summary',
      isValid: project !== undefined,
      errors: countSeverity(diagnostics, 'error'),
      warnings: countSeverity(diagnostics, 'warning'),
      notes: countSeverity(diagnostics, 'note'),
      resources,
    })
    const found = diagnostics.length > 0 ? `, ${countDiagnostics(diagnostics)}` : ''
    output.print(
      project
        ? output.style.green(`${this.config} is valid: ${counted(resources, 'declaration')}${found}.`)
        : output.style.red(`${this.config} is not valid: ${countDiagnostics(diagnostics)}.`),
    )
    return project ? exitCode.done : exitCode.failed
  }
}
