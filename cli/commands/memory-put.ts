// `agents memory put STORE PATH`: writes one memory, from the command line, a file or stdin.
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { Command, Option } from 'clipanion'
import { UsageProblem } from '../line/usage.js'
import { MemoryCommand } from '../shared/memory-command.js'
import { isTerminal } from '../terminal/context.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class MemoryPutCommand extends MemoryCommand {
  static override paths = [['memory', 'put']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Write one memory, replacing an existing one at its path',
    details: 'Without TEXT and --from, the text is read from stdin.',
    examples: [
      ['A line', 'agents memory put wiki notes/today.md "Ship on Friday"'],
      ['A file', 'agents memory put wiki guide.md --from ./guide.md'],
      ['The output of another program', 'git log -3 | agents memory put wiki changes.txt'],
    ],
  })

  at = Option.String({ name: 'PATH' })
  text = Option.String({ name: 'TEXT', required: false })
  from = Option.String('--from', { description: 'A local text file.' })

  override async execute(): Promise<ExitCode> {
    const content = await this.readContent()
    return this.actOn(async (store) => {
      const { content: _, ...entry } = await store.put(this.at, content)
      this.output.record({ type: 'memory', address: store.address, ...entry })
      this.output.print(`Wrote ${this.at} into ${store.address}.`)
    })
  }

  private async readContent(): Promise<string> {
    const { text: written, from, context } = this
    if (written !== undefined && from !== undefined) throw twoTexts()
    if (written !== undefined) return written
    if (from !== undefined) {
      const { nodeDisk } = await import('../../core/ports/node-disk.js')
      return new TextDecoder('utf-8').decode(await nodeDisk.read(resolve(context.workingFolder, from)))
    }
    if (isTerminal(context.stdin)) throw noText()
    return text(context.stdin)
  }
}

function twoTexts(): UsageProblem {
  return new UsageProblem('memory.two-texts', { detail: 'TEXT and --from both contain the text to write.' })
}

function noText(): UsageProblem {
  return new UsageProblem('memory.no-text', { detail: 'Neither TEXT nor --from is present, and stdin is a terminal.' })
}
