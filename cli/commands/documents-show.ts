// `agents documents show ID`: prints the server's record of a document.
import { Command, Option } from 'clipanion'
import type { DocumentRecord } from '../documents/client.js'
import { columns, sized, visible } from '../render/text.js'
import { DocumentsCommand } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsShowCommand extends DocumentsCommand {
  static override paths = [['documents', 'show']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Show the record of a document',
    examples: [
      ['One document', 'agents documents show ID'],
      ['The hash of its bytes', 'agents documents show ID --json | jq -r .baseSha'],
    ],
  })

  docId = Option.String({ name: 'ID' })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const { document } = await client.json<{ document: DocumentRecord }>(this.documentPath(this.docId))
    this.output.record({ type: 'document', ...document })
    this.output.print(columns(rowsOf(document)))
    return exitCode.done
  }
}

function rowsOf(document: DocumentRecord): readonly (readonly [string, string])[] {
  const { id, state, failureReason, storageSizeBytes, baseSha, thumbnailState, createdAt, createdBy, metadata } =
    document
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ['Id', id],
    ['State', failureReason === null ? state : `${state}: ${failureReason}`],
    ['Size', storageSizeBytes === null ? null : sized(storageSizeBytes)],
    ['SHA-256', baseSha],
    ['Thumbnail', thumbnailState],
    ['Created', new Date(createdAt).toISOString()],
    ['By', createdBy],
    ...Object.entries(metadata ?? {}).map(([name, value]) => [`metadata.${name}`, JSON.stringify(value)] as const),
  ]
  return rows.flatMap(([label, value]) => (value ? [[visible(label), visible(value)] as const] : []))
}
