// `agents memory show STORE PATH`: prints the text of one memory.
import { Command, Option } from 'clipanion'
import { visibleLines } from '../render/text.js'
import { MemoryCommand } from '../shared/memory-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class MemoryShowCommand extends MemoryCommand {
  static override paths = [['memory', 'show']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Show one memory',
    examples: [['What agents wrote', 'agents memory show wiki notes/today.md']],
  })

  at = Option.String({ name: 'PATH' })

  override async execute(): Promise<ExitCode> {
    return this.actOn(async (store) => {
      const entry = await store.read(this.at)
      this.output.record({ type: 'memory', address: store.address, ...entry })
      this.output.print(visibleLines(entry.content ?? '').replace(/\n$/, ''))
    })
  }
}
