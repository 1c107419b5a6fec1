// `agents documents list`: lists the stored documents, newest first.
import { Command, Option } from 'clipanion'
import type { DocumentRecord } from '../documents/client.js'
import { columns, sized, visible } from '../render/text.js'
import { DocumentsCommand, defaultTenant } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

interface Page {
  readonly documents: readonly DocumentRecord[]
  readonly nextCursor: string | null
}

export class DocumentsListCommand extends DocumentsCommand {
  static override paths = [['documents', 'list']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'List documents, newest first',
    examples: [
      ['Those that are ready', 'agents documents list --state ready'],
      ['Ids for a program', 'agents documents list --json | jq -r .id'],
    ],
  })

  state = Option.String('--state', { description: 'Only pending, ready, failed or deleting ones.' })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const rows: string[][] = []
    let cursor: string | undefined
    do {
      const query = { cursor, state: this.state }
      const page: Page = (await client.found<Page>(this.documentsPath, { query })) ?? (await this.noPage())
      for (const document of page.documents) {
        this.output.record({ type: 'document', ...document })
        rows.push(describe(document))
      }
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    this.output.print(rows.length === 0 ? 'No documents.' : columns(rows))
    return exitCode.done
  }

  /**
   * Returns an empty page if the tenant is the default one: a new server does not have it yet. Any other missing tenant
   * is a misspelled name.
   */
  private async noPage(): Promise<Page> {
    const { tenant } = this
    if (tenant === defaultTenant) return { documents: [], nextCursor: null }
    const { documentsProblem } = await import('../documents/problems.js')
    throw documentsProblem('documents.no-tenant', { detail: `This server has no tenant "${tenant}".` })
  }
}

function describe({ id, state, storageSizeBytes, createdAt, failureReason, metadata }: DocumentRecord): string[] {
  const fileName = metadata?.['fileName']
  const size = storageSizeBytes === null ? '' : sized(storageSizeBytes)
  const name = typeof fileName === 'string' ? visible(fileName) : ''
  return [id, state, size, new Date(createdAt).toISOString(), name, failureReason ?? '']
}
