// `agents documents verify FILE|ID`: prints three answers about every signature.
import { existsSync } from 'node:fs'
import { Command, Option } from 'clipanion'
import { isAccepted, type Requirement, requirements, type Verified } from '../documents/verifying/verified.js'
import { UsageProblem } from '../line/usage.js'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

/** Required where nothing is said: a signer may be unknown as long as there are no roots. */
const untold: readonly Requirement[] = ['integrity', 'permission']

export class DocumentsVerifyCommand extends ReadingCommand {
  static override paths = [['documents', 'verify']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Verify the signatures of a file or document',
    details:
      'Gives three answers about every signature: whether the signed bytes are intact, whether what was changed later\n' +
      'is permitted, and whether its signer is trusted. A file is judged here, without a server; a document by its\n' +
      'server, with the roots of that server. Ends with 4 if an answer is a no, integrity or permission is undecided,\n' +
      'or there is no signature; with --trust-roots also if a signer is anything but trusted. --require chooses the\n' +
      'answers that must be a yes, instead. Otherwise it ends with 0.',
    examples: [
      ['A file, without a server', 'agents documents verify contract.pdf'],
      ['With the certificates that are trusted', 'agents documents verify contract.pdf --trust-roots roots/'],
      ['Whoever signed it', 'agents documents verify contract.pdf --require integrity --require permission'],
      ['A document of a server', 'agents documents verify ID --layer legal'],
      ['For a program', 'agents documents verify contract.pdf --json'],
    ],
  })

  subject = Option.String({ name: 'FILE|ID' })
  trustRoots = Option.String('--trust-roots', {
    description: 'Folder of the certificates (PEM or DER) that signers of a file are trusted by. Default: none.',
  })

  require = Option.Array('--require', [], {
    description:
      'Answer that must be a yes for every signature: integrity, permission or trust; can be repeated. Default: integrity ' +
      'and permission, with --trust-roots trust too.',
  })

  override async execute(): Promise<ExitCode> {
    const { answersText } = await import('../documents/verifying/answers-text.js')
    const required = this.required()
    const answers = await this.answers()
    for (const { signature, verification, permission } of answers.signatures) {
      const { index, fieldName, kind, coverage, revisionIndex } = signature
      const { verdict, current, later } = permission
      const { primary = null, findings, complete } = current
      const changes = { verdict, primary, findings, complete, laterRevisions: later.revisionCount }
      const facts = { index, fieldName, signatureKind: kind, coverage, revisionIndex, ...verification }
      this.output.record({ type: 'signature', ...facts, permission: changes })
    }
    const accepted = isAccepted(answers, required)
    const { chainValid, chainProblem, revisions, signatures } = answers
    const counts = {
      isAccepted: accepted,
      required: required ?? untold,
      chainValid,
      chainProblem,
      revisions,
      signatures: signatures.length,
    }
    this.output.record({ type: 'summary', ...counts })
    this.output.print(answersText(answers))
    return accepted ? exitCode.done : exitCode.unverified
  }

  /** Undefined: none are named, so that trust may be unknown. */
  private required(): readonly Requirement[] | undefined {
    const unknown = this.require.find((name) => !requirements.some((known) => known === name))
    if (unknown !== undefined) {
      throw new UsageProblem('cli.bad-value', {
        detail: `--require ${unknown} is no answer about a signature.`,
        fix: `Use ${requirements.join(', ')}, each with a --require of its own.`,
      })
    }
    if (this.require.length > 0) return requirements.filter((name) => this.require.includes(name))
    return this.trustRoots === undefined ? undefined : requirements
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
