// `agents documents import URL|KEY`: lets the server fetch a PDF from a URL, or from a connection of its settings.
import { Command, Option } from 'clipanion'
import type { DocumentRecord } from '../documents/client.js'
import { UsageProblem } from '../line/usage.js'
import { DocumentsCommand } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { interruptible } from '../terminal/interruption.js'

export class DocumentsImportCommand extends DocumentsCommand {
  static override paths = [['documents', 'import']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Let the server fetch a PDF from a URL or a connection',
    details:
      'The server reaches public https addresses only; who runs it may allow others (--import-allow, --import-http of\n' +
      '"agents serve"). With --sha256 other bytes than those are refused.\n' +
      'Whoever knows a signed URL can read the file, and others on the machine may see arguments: with - for the URL it\n' +
      'is read from STEWARD_IMPORT_URL, the terminal or stdin.\n' +
      'With --connection the operand is the key of a file in that storage, which the settings of the server name. With\n' +
      '--async the server fetches it in the background, and tries again after failures; the command waits for it\n' +
      'unless --no-wait is given.',
    examples: [
      ['One document', 'agents documents import https://example.com/report.pdf --id report-2026'],
      ['With a URL that is a secret', 'agents documents import - < url.txt'],
      ['From a storage of the server', 'agents documents import --connection archive invoices/2026/1.pdf'],
      [
        'In the background, without waiting',
        'agents documents import --connection archive invoices/2026/1.pdf --async --no-wait --sha256 HEX',
      ],
    ],
  })

  source = Option.String({ name: 'URL' })
  connection = Option.String('--connection', { description: 'Name of a connection of the server to import from.' })
  isAsync = Option.Boolean('--async', false, { description: 'Import in the background. Needs --connection.' })
  wait = Option.Boolean('--wait', true, { description: 'Wait for the end of an import in the background. Default.' })
  docId = Option.String('--id', { description: 'Id of the document. Default: the server creates one.' })
  sha256 = Option.String('--sha256', { description: 'SHA-256 the bytes must have, in hex.' })
  reuse = Option.Boolean('--reuse', false, {
    description: 'Return an existing document with the same bytes. Needs --sha256.',
  })

  override async execute(): Promise<ExitCode> {
    const { ensureTenant } = await import('../documents/ensure-tenant.js')
    const { awaitImport } = await import('../documents/await-import.js')
    const { docId, sha256, reuse, isAsync, output } = this
    if (isAsync && this.connection === undefined) {
      throw new UsageProblem('cli.wrong-usage', {
        detail: '--async needs --connection.',
        fix: 'Name a connection of the server with --connection, or leave --async out.',
      })
    }
    const source = await this.namedSource()
    if (reuse && sha256 === undefined) {
      throw new UsageProblem('cli.wrong-usage', {
        detail: '--reuse needs --sha256.',
        fix: 'Add --sha256 with the SHA-256 of the file, or leave --reuse out.',
      })
    }
    const client = await this.connect(this.source === '-' ? { secret: 'a secret URL' } : {})
    await ensureTenant(client, this.tenant)
    const { tag, document: first } = await client.json<{ tag: string; document: DocumentRecord }>(
      `${this.documentsPath}/import`,
      {
        method: 'POST',
        json: {
          source,
          ...(isAsync ? { mode: 'async' } : {}),
          ...(docId === undefined ? {} : { docId }),
          ...(sha256 === undefined ? {} : { expected: { sha256 } }),
          ...(reuse ? { dedupMode: 'reuse-existing' } : {}),
        },
      },
    )
    const isNew = tag !== 'deduped'
    const isBackground = first.state === 'pending'
    if (!this.wait || !isBackground) return this.report(first, source, isNew)
    return interruptible(async ({ gentle: signal }) => {
      const document = await awaitImport(client, { path: this.documentPath(first.id), first, output, signal })
      return this.report(document, source, isNew, signal)
    })
  }

  private async report(
    document: DocumentRecord,
    source: Awaited<ReturnType<DocumentsImportCommand['namedSource']>>,
    isNew: boolean,
    interrupted?: AbortSignal,
  ): Promise<ExitCode> {
    const { refuseFailed } = await import('../documents/refuse-failed.js')
    const { refuseNotImported } = await import('../documents/await-import.js')
    const { output } = this
    output.record({ type: 'document', isNew, ...document })
    if (source.kind === 'connection') refuseNotImported(document, source.key)
    refuseFailed(document, source.kind === 'url' ? 'What the URL leads to' : source.key)
    output.print(document.id)
    if (!isNew) output.note('It was stored already.')
    if (interrupted?.aborted !== true || document.state !== 'pending') return exitCode.done
    output.note(`The server goes on importing it: "agents documents show ${document.id}" shows its state.`)
    return exitCode.interrupted
  }

  private async namedSource() {
    const { source, connection } = this
    if (connection !== undefined) return { kind: 'connection', connectionId: connection, key: source } as const
    return { kind: 'url', url: source === '-' ? await this.secretUrl() : source } as const
  }

  private async secretUrl(): Promise<string> {
    const { readSecret } = await import('../documents/read-secret.js')
    return readSecret(this.context, { variable: 'STEWARD_IMPORT_URL', question: 'URL' })
  }
}
