// `agents memory list STORE`: lists the memories of a store.
import { Command, Option } from 'clipanion'
import type { MemoryEntry } from '../../core/plugin/actions.js'
import { columns, counted, visible } from '../render/text.js'
import { MemoryCommand } from '../shared/memory-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class MemoryListCommand extends MemoryCommand {
  static override paths = [['memory', 'list']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'List the entries of a memory store',
    examples: [
      ['Everything', 'agents memory list wiki'],
      ['Below a folder', 'agents memory list wiki notes/'],
    ],
  })

  prefix = Option.String({ name: 'PREFIX', required: false })

  override async execute(): Promise<ExitCode> {
    return this.actOn(async (store) => {
      const entries: MemoryEntry[] = []
      for await (const entry of store.list(this.prefix)) {
        this.output.record({ type: 'memory', address: store.address, ...entry })
        entries.push(entry)
      }
      this.output.record({ type: 'summary', memories: entries.length })
      const rows = entries.map(({ path, sizeBytes }) => [
        visible(path),
        sizeBytes === undefined ? '' : `${sizeBytes} B`,
      ])
      if (rows.length > 0) this.output.print(`${columns(rows)}\n`)
      this.output.print(
        rows.length === 0 ? 'It holds nothing there.' : `${counted(rows.length, 'memory', 'memories')}.`,
      )
    })
  }
}
