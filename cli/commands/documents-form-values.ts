// `agents documents form-values ID`: prints the values of a form, writes them to a file, or sets those of a file.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import type { ImportAnswer } from '../documents/exchange-file.js'
import { countOf, visibleLines } from '../render/text.js'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsFormValuesCommand extends ReadingCommand {
  static override paths = [['documents', 'form-values']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Read or set the values of a form',
    examples: [
      ['Print them as JSON', 'agents documents form-values ID'],
      ['Write an FDF file', 'agents documents form-values ID --format fdf --out values.fdf'],
      ['Set them from a .json, .fdf or .xfdf file', 'agents documents form-values ID --set values.json'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  format = Option.String('--format', 'json', {
    description: 'json (default), fdf or xfdf.',
    validator: t.isEnum(['json', 'fdf', 'xfdf'] as const),
  })
  out = Option.String('--out', { description: 'File to write. Default: print the values.' })
  set = Option.String('--set', { description: 'File with values to set, in the format of its extension.' })

  override async execute(): Promise<ExitCode> {
    const path = `${this.layerPath(this.docId, this.layer)}/form/values`
    return this.set === undefined ? this.show(path) : this.send(path, this.set)
  }

  private async show(path: string): Promise<ExitCode> {
    const { saveFile } = await import('../documents/save-file.js')
    const { docId, format, out, output } = this
    const client = await this.connectForReading()
    await this.noteUneditedLayer(client, docId)
    const bytes = await client.bytes(path, { query: { format } })
    if (out !== undefined) {
      await saveFile(this.localPath(out), [bytes])
      output.record({ type: 'file', path: out, sizeBytes: bytes.length })
      output.print(out)
      return exitCode.done
    }
    const text = Buffer.from(bytes).toString(format === 'fdf' ? 'latin1' : 'utf8')
    output.record({ type: 'values', format, ...(format === 'json' ? JSON.parse(text) : { text }) })
    output.print(visibleLines(format === 'json' ? printedJson(JSON.parse(text).values) : text))
    return exitCode.done
  }

  private async send(path: string, file: string): Promise<ExitCode> {
    const { skippedLine, valuesRequest } = await import('../documents/exchange-file.js')
    const { output } = this
    const request = await valuesRequest(this.localPath(file))
    const client = await this.connectForReading()
    const { fields = [], skipped } = await client.json<ImportAnswer>(path, { method: 'POST', ...request })
    output.record({ type: 'imported', fields: fields.length, skipped })
    for (const one of skipped) output.note(skippedLine(one))
    output.print(`Changed ${countOf(fields.length, 'field')}, skipped ${skipped.length}`)
    return exitCode.done
  }
}

/** Returns JSON without the control characters that only JSON itself can escape such that it stays JSON. */
const printedJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u00ad]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
