// `agents documents verify FILE|ID`: prints three answers about every signature.
import { existsSync } from 'node:fs'
import { Command, Option } from 'clipanion'
import type { Verified } from '../documents/verifying/verified.js'
import { UsageProblem } from '../line/usage.js'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsVerifyCommand extends ReadingCommand {
  static override paths = [['documents', 'verify']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Verify the signatures of a file or document',
    details:
      'Gives three answers about every signature: whether the signed bytes are intact, whether what was changed later\n' +
      'is permitted, and whether its signer is trusted. A file is judged here, without a server; a document by its\n' +
      'server, with the roots of that server. Ends with 0 if every signature is intact, later changes are permitted\n' +
      'and no signer is untrusted; with 4 if an answer is no or undecided, or there is no signature.',
    examples: [
      ['A file, without a server', 'agents documents verify contract.pdf'],
      ['With the certificates that are trusted', 'agents documents verify contract.pdf --trust-roots roots/'],
      ['A document of a server', 'agents documents verify ID --layer legal'],
      ['For a program', 'agents documents verify contract.pdf --json'],
    ],
  })

  subject = Option.String({ name: 'FILE|ID' })
  trustRoots = Option.String('--trust-roots', {
    description: 'Folder of the certificates (PEM or DER) that signers of a file are trusted by. Default: none.',
  })

  override async execute(): Promise<ExitCode> {
    const { isAccepted } = await import('../documents/verifying/verified.js')
    const { answersText } = await import('../documents/verifying/answers-text.js')
    const answers = await this.answers()
    for (const { signature, verification, permission } of answers.signatures) {
      const { index, fieldName, kind, coverage, revisionIndex } = signature
      const { verdict, current, later } = permission
      const { primary = null, findings, complete } = current
      const changes = { verdict, primary, findings, complete, laterRevisions: later.revisionCount }
      const facts = { index, fieldName, signatureKind: kind, coverage, revisionIndex, ...verification }
      this.output.record({ type: 'signature', ...facts, permission: changes })
    }
    const accepted = isAccepted(answers)
    const { chainValid, revisions, signatures } = answers
    const counts = { isAccepted: accepted, chainValid, revisions, signatures: signatures.length }
    this.output.record({ type: 'summary', ...counts })
    this.output.print(answersText(answers))
    return accepted ? exitCode.done : exitCode.unverified
  }

  private async answers(): Promise<Verified> {
    const { subject, trustRoots } = this
    const path = this.localPath(subject)
    if (/[/\\]|\.pdf$/i.test(subject) || existsSync(path)) {
      const { verifyFile } = await import('../documents/verifying/verify-file.js')
      const roots = trustRoots === undefined ? undefined : this.localPath(trustRoots)
      return verifyFile({ path, name: subject, password: await this.readPassword(), trustRoots: roots })
    }
    if (trustRoots !== undefined) {
      throw new UsageProblem('cli.bad-value', {
        detail: '--trust-roots is for files; a server has roots of its own.',
        fix: 'Start the server with --trust-roots, or download the document and verify the file.',
      })
    }
    const { verifyDocument } = await import('../documents/verifying/verify-document.js')
    return verifyDocument(await this.connectForReading(), this.layerPath(subject, this.layer))
  }
}
