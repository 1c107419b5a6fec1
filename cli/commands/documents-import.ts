// `agents documents import URL`: lets the server fetch a PDF.
import { Command, Option } from 'clipanion'
import type { DocumentRecord } from '../documents/client.js'
import { UsageProblem } from '../line/usage.js'
import { DocumentsCommand } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsImportCommand extends DocumentsCommand {
  static override paths = [['documents', 'import']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Let the server fetch a PDF from a URL',
    details:
      'The server reaches public https addresses only; who runs it may allow others (--import-allow, --import-http of\n' +
      '"agents serve"). With --sha256 other bytes than those are refused.\n' +
      'Whoever knows a signed URL can read the file, and others on the machine may see arguments: with - for the URL it\n' +
      'is read from STEWARD_IMPORT_URL, the terminal or stdin.',
    examples: [
      ['One document', 'agents documents import https://example.com/report.pdf --id report-2026'],
      ['With a URL that is a secret', 'agents documents import - < url.txt'],
    ],
  })

  source = Option.String({ name: 'URL' })
  docId = Option.String('--id', { description: 'Id of the document. Default: the server creates one.' })
  sha256 = Option.String('--sha256', { description: 'SHA-256 the bytes must have, in hex.' })
  reuse = Option.Boolean('--reuse', false, {
    description: 'Return an existing document with the same bytes. Needs --sha256.',
  })

  override async execute(): Promise<ExitCode> {
    const { ensureTenant } = await import('../documents/ensure-tenant.js')
    const { refuseFailed } = await import('../documents/refuse-failed.js')
    const { source, docId, sha256, reuse, output } = this
    const url = source === '-' ? await this.secretUrl() : source
    if (reuse && sha256 === undefined) {
      throw new UsageProblem('cli.wrong-usage', {
        detail: '--reuse needs --sha256.',
        fix: 'Add --sha256 with the SHA-256 of the file, or leave --reuse out.',
      })
    }
    const client = await this.connect()
    await ensureTenant(client, this.tenant)
    const { tag, document } = await client.json<{ tag: string; document: DocumentRecord }>(
      `${this.documentsPath}/import`,
      {
        method: 'POST',
        json: {
          source: { kind: 'url', url },
          ...(docId === undefined ? {} : { docId }),
          ...(sha256 === undefined ? {} : { expected: { sha256 } }),
          ...(reuse ? { dedupMode: 'reuse-existing' } : {}),
        },
      },
    )
    const isNew = tag === 'imported'
    output.record({ type: 'document', isNew, ...document })
    refuseFailed(document, 'What the URL leads to')
    output.print(document.id)
    if (!isNew) output.note('It was stored already.')
    return exitCode.done
  }

  private async secretUrl(): Promise<string> {
    const { readSecret } = await import('../documents/read-secret.js')
    return readSecret(this.context, { variable: 'STEWARD_IMPORT_URL', question: 'URL' })
  }
}
