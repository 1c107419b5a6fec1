// `agents documents import-annotations ID FILE`: creates and updates the annotations of an XFDF file.
import { Command, Option } from 'clipanion'
import type { ImportAnswer } from '../documents/exchange-file.js'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsImportAnnotationsCommand extends ReadingCommand {
  static override paths = [['documents', 'import-annotations']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Take annotations from an XFDF file',
    details: 'An annotation with the name of an existing one on the same page updates it.',
    examples: [
      ['Into the default layer', 'agents documents import-annotations ID review.xfdf'],
      ['Into another layer', 'agents documents import-annotations ID review.xfdf --layer legal'],
      ['With the values of the form', 'agents documents import-annotations ID review.xfdf --values'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  file = Option.String({ name: 'FILE' })
  override layer = Option.String('--layer', { description: 'Layer to write to. Default: default.' })
  values = Option.Boolean('--values', false, { description: 'Set the values of the fields in the file, too.' })

  override async execute(): Promise<ExitCode> {
    const { exchangeBody, skippedLine } = await import('../documents/exchange-file.js')
    const { docId, layer, output } = this
    const body = await exchangeBody(this.localPath(this.file))
    const client = await this.connectForReading()
    const {
      created = [],
      updated = [],
      unchangedCount = 0,
      fields = [],
      skipped,
    } = await client.json<ImportAnswer>(`${this.layerPath(docId, layer)}/annotations/import`, {
      method: 'POST',
      query: this.values ? { values: 'true' } : {},
      body,
    })
    const counts = {
      created: created.length,
      updated: updated.length,
      unchanged: unchangedCount,
      fields: fields.length,
    }
    output.record({ type: 'imported', ...counts, skipped })
    for (const one of skipped) output.note(skippedLine(one))
    output.print(
      `Created ${counts.created}, updated ${counts.updated}, unchanged ${counts.unchanged}, skipped ${skipped.length}` +
        (this.values ? `; changed fields ${counts.fields}` : ''),
    )
    return exitCode.done
  }
}
