// `agents import ADDRESS ID`: binds an existing object to an address.
import { Command, Option } from 'clipanion'
import type { Binding } from '../../core/sync/bound.js'
import type { DeclareResult } from '../../core/sync/declare.js'
import { announceEmulator, emulatorAddress } from '../project/emulator-address.js'
import { EngineCommand } from '../project/engine-command.js'
import { visible } from '../render/text.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { interruptible } from '../terminal/interruption.js'

export class ImportCommand extends EngineCommand {
  static override paths = [['import']]
  static override usage = Command.Usage({
    category: 'State',
    description: 'Take charge of an object that exists already',
    details:
      'Makes sure that the object exists, is active and belongs to nobody here, writes its declaration into agents.yaml\n' +
      'when there is none, and records its id. The object is changed only by the ownership mark of this project. One with\n' +
      'the mark of another project is refused without --take.',
    examples: [
      ['An agent that was made by hand', 'agents import qoder.agent.helper agent_01'],
      ['Everything that an account has', 'agents sync --import'],
      ['From another project', 'agents import claude.agent.helper agent_01 --take shop'],
    ],
  })

  address = Option.String({ name: 'ADDRESS' })
  objectId = Option.String({ name: 'ID' })

  take = Option.Array('--take', {
    description: 'Take the object over from this project, whose mark it carries; repeatable.',
  })

  override async execute(): Promise<ExitCode> {
    return interruptible(async ({ reportBy, stopped }) => {
      reportBy(() => this.output.note('Stopping once the object is recorded, so that no half of an import is left.'))
      const emulatorUrl = emulatorAddress(this.context.env)
      announceEmulator(this.output, emulatorUrl)
      const { openProject } = await import('../project/open-project.js')
      const { ProjectEdit } = await import('../project/project-edit.js')
      const { declareForImport, importAddress } = await import('../../core/sync/declare.js')
      const opened = await openProject(this, emulatorUrl)
      const binding = {
        address: importAddress(opened.engine, this.address),
        id: this.objectId,
        take: this.take ?? [],
      }
      const edit = await ProjectEdit.open(this, opened, stopped)
      const declared = await edit.withLock(async (state) => {
        const found = await declareForImport(
          { ...opened.engine, hardStop: stopped },
          { state, text: edit.text },
          binding,
        )
        await edit.writeAndBind(state, found, [binding])
        return found
      })
      const { unsetVariablesIn } = await import('../../core/sync/mentioned.js')
      this.reportResult(binding, declared, unsetVariablesIn([declared.body], opened.project.variables))
      return exitCode.done
    })
  }

  private reportResult({ address, id }: Binding, { body }: DeclareResult, unset: readonly string[]): void {
    this.output.record({ type: 'imported', address, id, isDeclarationWritten: body !== undefined })
    for (const name of unset) this.output.record({ type: 'variable', name })
    if (body !== undefined) this.output.print(`Wrote ${address} into ${this.config}.`)
    this.output.print(`${this.output.style.green('✓')} ${address} is ${visible(id)} now.`)
    if (unset.length > 0)
      this.output.print(`Secrets cannot be read back. Add their values to .env: ${unset.join(', ')}`)
  }
}
