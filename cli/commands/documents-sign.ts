// `agents documents sign ID`: signs a layer of a document, with a key of this machine or by somebody else.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import type { SignaturePrepare, SignaturePrepared } from '../../workers/contract/signatures/preparation.js'
import type { DocumentsClient } from '../documents/client.js'
import type { SigningIdentity } from '../documents/signing/identity.js'
import type { Signing } from '../documents/signing/signing.js'
import { UsageProblem } from '../line/usage.js'
import { visible } from '../render/text.js'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { interruptible } from '../terminal/interruption.js'

const oneOf = <Value extends string>(...values: readonly Value[]) => t.isEnum(values)
const permissions = { '1': 1, '2': 2, '3': 3 } as const
const passwordVariable = 'STEWARD_KEY_PASSWORD'

export class DocumentsSignCommand extends ReadingCommand {
  static override paths = [['documents', 'sign']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Sign a document',
    details:
      'Signs what the layer shows, in a form field, which is made if there is none of that name. The result is a new\n' +
      `version of the document. Passwords of keys come from ${passwordVariable}, from --key-password-file, or from a\n` +
      'prompt, never from the command line. A failure or Ctrl-C cancels the signing that the command prepared, so that\n' +
      'the layer can be changed again; one that is neither completed nor cancelled ends after 15 minutes.',
    examples: [
      ['With a key and its certificate', 'agents documents sign ID --field approval --key key.pem --cert cert.pem'],
      [
        'With a PKCS#12 file and a timestamp',
        'agents documents sign ID --field approval --pkcs12 me.p12 --timestamp URL',
      ],
      ['Certify: only forms may be filled', 'agents documents sign ID --field seal --pkcs12 me.p12 --certify 2'],
      ['Only a timestamp', 'agents documents sign ID --field time --kind timestamp --timestamp URL'],
      ['Print the digest for a signer elsewhere', 'agents documents sign ID --field approval --external'],
      ['Complete with the CMS of that signer', 'agents documents sign ID --cms signature.der --signing SIGNING'],
      ['Cancel a prepared signing', 'agents documents sign ID --cancel SIGNING'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  field = Option.String('--field', { description: 'Full name of the signature field.' })
  kind = Option.String('--kind', 'signature', {
    description: 'signature or timestamp. Default signature.',
    validator: oneOf('signature', 'timestamp'),
  })
  key = Option.String('--key', { description: 'Private key, a PEM file.' })
  cert = Option.String('--cert', { description: 'Certificate of the key, a PEM or DER file.' })
  chain = Option.String('--chain', {
    description: 'Certificates of the issuers, a PEM file; those of a PKCS#12 file come along.',
  })
  pkcs12 = Option.String('--pkcs12', { description: 'Key and certificates in a PKCS#12 file (.p12, .pfx).' })
  keyPasswordFile = Option.String('--key-password-file', {
    description: `File whose first line is the password of the key. Default: ${passwordVariable}, else a prompt.`,
  })
  pss = Option.Boolean('--pss', false, { description: 'Sign with RSA-PSS instead of PKCS #1 v1.5.' })
  digest = Option.String('--digest', {
    description: 'sha256, sha384 or sha512. Default sha256; Ed25519 always has sha512.',
    validator: oneOf('sha256', 'sha384', 'sha512'),
  })
  subFilter = Option.String('--subfilter', {
    description: 'ETSI.CAdES.detached or adbe.pkcs7.detached. Default ETSI.CAdES.detached.',
    validator: oneOf('ETSI.CAdES.detached', 'adbe.pkcs7.detached'),
  })
  name = Option.String('--name', { description: 'Name of the signer.' })
  reason = Option.String('--reason', { description: 'Why the document is signed.' })
  location = Option.String('--location', { description: 'Where it is signed.' })
  contact = Option.String('--contact', { description: 'How the signer can be reached.' })
  certify = Option.String('--certify', {
    description: 'Certify: 1 allows no changes, 2 filling forms and signing, 3 annotations too.',
    validator: oneOf('1', '2', '3'),
  })
  lock = Option.String('--lock', { description: 'Fields to lock: all, include:A,B or exclude:A,B.' })
  appearance = Option.String('--appearance', { description: 'PDF of one page, which is shown in the field.' })
  contentsSize = Option.String('--contents-size', {
    description: 'Bytes reserved for the signature. Default 16384.',
    validator: t.cascade(t.isNumber(), [t.isInteger(), t.isInInclusiveRange(1024, 1024 * 1024)]),
  })
  timestamp = Option.String('--timestamp', { description: 'Address of an RFC 3161 timestamp authority.' })
  external = Option.Boolean('--external', false, { description: 'Only prepare, and print the digest to sign.' })
  cms = Option.String('--cms', { description: 'Complete with this CMS, a DER or PEM file.' })
  signing = Option.String('--signing', { description: 'Id of the signing that --cms completes.' })
  cancel = Option.String('--cancel', {
    description: 'Cancel the signing of this id, so that the layer can be changed.',
  })

  override async execute(): Promise<ExitCode> {
    const mode = this.mode()
    const identity = mode === 'key' ? await this.identity() : undefined
    const { Signing } = await import('../documents/signing/signing.js')
    const client = await this.connectForReading()
    const signing = new Signing(client, this.layerPath(this.docId, this.layer))
    if (mode === 'complete') return this.complete(client, signing)
    if (mode === 'cancel') return this.cancelSigning(signing)
    const appearance = this.appearance === undefined ? undefined : this.localPath(this.appearance)
    const body = await this.body(identity)
    return interruptible(async ({ gentle, reportBy }) => {
      let isEarlier = false
      reportBy((which) => {
        if (which === 'first') this.output.note(isEarlier ? interruptedEarlier : interrupted)
      })
      const preparation = await signing.prepare({ body, appearance })
      const { prepared } = preparation
      isEarlier = preparation.isEarlier
      try {
        gentle.throwIfAborted()
        if (mode === 'external') return this.announce(prepared)
        const cms = await this.signatureBytes(prepared, identity, gentle)
        gentle.throwIfAborted()
        return this.report(await signing.complete(prepared.signingId, cms, prepared.expectedVersion))
      } catch (error) {
        if (isEarlier) this.output.note(stillPending(this.docId, prepared))
        // If the cancellation fails too, the signing expires by itself.
        else await signing.cancel(prepared.signingId).catch(() => undefined)
        throw error
      }
    })
  }

  private mode(): 'key' | 'timestamp' | 'external' | 'complete' | 'cancel' {
    const hasKey = this.key !== undefined || this.pkcs12 !== undefined
    if (this.cancel !== undefined) {
      if (hasKey || this.external || (this.field ?? this.cms ?? this.signing) !== undefined)
        throw misused('--cancel ends a signing: it takes neither a key, a field nor a CMS.')
      return 'cancel'
    }
    if (this.cms !== undefined || this.signing !== undefined) {
      if (this.cms === undefined || this.signing === undefined) throw misused('--cms and --signing belong together.')
      if (hasKey || this.external || this.field !== undefined)
        throw misused('--cms completes what was prepared: it takes neither a key nor a field.')
      return 'complete'
    }
    if (this.field === undefined) throw misused('--field is missing.')
    if (this.external) {
      if (hasKey || this.timestamp !== undefined)
        throw misused('--external signs elsewhere: it takes no key and no --timestamp.')
      return 'external'
    }
    if (this.kind === 'timestamp') {
      if (hasKey || this.timestamp === undefined) throw misused('A document timestamp takes --timestamp and no key.')
      return 'timestamp'
    }
    if (this.pkcs12 !== undefined && (this.key ?? this.cert) !== undefined)
      throw misused('--pkcs12 has its own key and certificate.')
    if (this.pkcs12 === undefined && (this.key === undefined || this.cert === undefined))
      throw misused('Name a key: --key with --cert, --pkcs12, or --external.')
    return 'key'
  }

  private async identity(): Promise<SigningIdentity> {
    const { validityRemark } = await import('../documents/signing/identity.js')
    const identity = await this.readIdentity()
    const remark = validityRemark(identity, new Date())
    if (remark !== undefined) this.output.note(visible(remark))
    return identity
  }

  private async readIdentity(): Promise<SigningIdentity> {
    const { identityOfPem, identityOfPkcs12 } = await import('../documents/signing/identity.js')
    const ask = (question: string) => this.keyPassword(question)
    const { key = '', cert = '', chain, pkcs12 } = this
    if (pkcs12 !== undefined) return identityOfPkcs12(this.localPath(pkcs12), ask)
    const paths = { key: this.localPath(key), cert: this.localPath(cert) }
    return identityOfPem({ ...paths, chain: chain === undefined ? undefined : this.localPath(chain) }, ask)
  }

  private async keyPassword(question: string): Promise<string> {
    const { keyPasswordFile, context } = this
    if (keyPasswordFile !== undefined) {
      const { firstLineOf } = await import('../documents/read-secret.js')
      return firstLineOf(this.localPath(keyPasswordFile))
    }
    const { readSecret } = await import('../documents/read-secret.js')
    return readSecret(context, { variable: passwordVariable, question })
  }

  private async body(identity: SigningIdentity | undefined): Promise<SignaturePrepare> {
    const { fieldLock } = await import('../documents/signing/field-lock.js')
    const { name, reason, location, contact: contactInfo, subFilter, certify, contentsSize } = this
    const signer = defined({ name, reason, location, contactInfo })
    const digest = identity?.key.asymmetricKeyType === 'ed25519' ? this.digestOfEd25519() : this.digest
    return {
      field: { kind: 'fqn', name: this.field ?? '' },
      ...(this.kind === 'timestamp' ? { kind: this.kind } : {}),
      ...defined({ subFilter, digest, contentsSize }),
      ...(Object.keys(signer).length > 0 ? { signer } : {}),
      ...(certify === undefined ? {} : { certify: { permission: permissions[certify] } }),
      ...(this.lock === undefined ? {} : { lock: fieldLock(this.lock) }),
    }
  }

  /** Returns the digest of an Ed25519 signature, which is always SHA-512 (RFC 8419, 3.1). */
  private digestOfEd25519(): 'sha512' {
    if ((this.digest ?? 'sha512') !== 'sha512') throw misused('A key of type Ed25519 signs with --digest sha512.')
    return 'sha512'
  }

  private async signatureBytes(
    prepared: SignaturePrepared,
    identity: SigningIdentity | undefined,
    signal: AbortSignal,
  ) {
    const { requestTimestamp } = await import('../documents/signing/timestamp.js')
    const { makeCms } = await import('../documents/signing/make-cms.js')
    const { timestamp: url = '' } = this
    const digest = Buffer.from(prepared.digest, 'base64')
    const { algorithm } = prepared
    if (identity === undefined) return requestTimestamp(url, digest, algorithm, signal)
    const { digestOf } = await import('../../workers/signatures/cms/digest-algorithm.js')
    return makeCms({
      digest,
      algorithm,
      identity,
      isPss: this.pss,
      // The signing time of a CAdES signature is in the signature dictionary (ETSI EN 319 142-1, 6.3).
      signingTime: prepared.subFilter === 'adbe.pkcs7.detached' ? new Date() : undefined,
      timestamp:
        url === '' ? undefined : (value) => requestTimestamp(url, digestOf(algorithm, value), algorithm, signal),
    })
  }

  private async complete(client: DocumentsClient, signing: Signing): Promise<ExitCode> {
    const { readCms } = await import('../documents/signing/read-cms.js')
    const cms = await readCms(this.localPath(this.cms ?? ''))
    // The layer cannot change while it is being signed, so its current version is the prepared one.
    const layer = this.layerPath(this.docId, this.layer)
    const { baseSha: baseSha256, layerVersion: editsVersion } = await client.json<{
      readonly baseSha: string
      readonly layerVersion: number
    }>(`${layer}/manifest`)
    return this.report(await signing.complete(this.signing ?? '', cms, { baseSha256, editsVersion }))
  }

  private async cancelSigning(signing: Signing): Promise<ExitCode> {
    const signingId = this.cancel ?? ''
    const status = await signing.cancel(signingId)
    this.output.record({ type: 'cancelled', signingId, status })
    this.output.print(cancellations[status])
    return status === 'cancelled' ? exitCode.done : exitCode.failed
  }

  private announce(prepared: SignaturePrepared): ExitCode {
    const { signingId, digest, algorithm, contentsSize, subFilter, expectedVersion, expiresAt } = prepared
    const facts = { signingId, digest, algorithm, contentsSize, subFilter, expectedVersion, expiresAt }
    this.output.record({ type: 'prepared', ...facts })
    this.output.print(`Signing  ${signingId}`)
    this.output.print(`Digest   ${digest} (${algorithm}, base64)`)
    this.output.note(`Sign it as ${subFilter} by ${expiresAt ?? 'any time'}; until then the layer cannot be changed.`)
    return exitCode.done
  }

  private report({ status, signature, version }: Awaited<ReturnType<Signing['complete']>>): ExitCode {
    const { fieldName, index } = signature
    const { sha256, byteLength: sizeBytes } = version
    this.output.record({ type: 'signed', status, fieldName, index, sha256, sizeBytes })
    const before = status === 'already-completed' ? ' before, with nothing changed now' : ''
    this.output.print(`Signed ${visible(fieldName)}${before}: version ${sha256}`)
    return exitCode.done
  }
}

const cancellations = {
  cancelled: 'Cancelled: the layer can be changed again.',
  'already-completed': 'The signing was completed before; nothing is cancelled.',
  unknown: 'The layer has no such signing, or it has ended: nothing is cancelled. Check the id and --layer.',
} as const

const interrupted = 'Interrupted: the signing is cancelled, unless it is complete already.'
const interruptedEarlier = 'Interrupted: the signing was prepared before and is not cancelled.'

const stillPending = (docId: string, { signingId, expiresAt }: SignaturePrepared) =>
  `The signing was prepared before and stays pending until ${expiresAt ?? 'it is cancelled'}: agents documents sign ${docId} --cancel ${signingId} ends it.`

const misused = (detail: string) =>
  new UsageProblem('cli.bad-value', { detail, fix: 'See "agents documents sign --help".' })

function defined<Members extends object>(members: Members): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Members]?: NonNullable<Members[Name]> }
}
