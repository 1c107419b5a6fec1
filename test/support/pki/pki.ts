// A public key infrastructure made by openssl: authorities, certificates, CMS, timestamps, lists and answers about
// revocation. Keys are small and made once.
import { execFileSync } from 'node:child_process'
import { createHash, randomUUID, X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Identity {
  /** Paths of PEM files. */
  readonly key: string
  readonly cert: string
  readonly der: Uint8Array
}

export interface CertificateOptions {
  /** Lines of an extension section of openssl; default: those of a signer. */
  readonly extensions?: readonly string[]
  /** `YYYYMMDDHHMMSSZ`; default: from 2020 to 2049. */
  readonly from?: string
  readonly until?: string
  /** Arguments of `openssl genpkey`; default: P-256. */
  readonly key?: readonly string[]
  /** Digest of the issuer's signature; default: sha256. */
  readonly digest?: string
}

export interface CmsOptions {
  readonly digest?: string
  readonly certificates?: readonly Identity[]
  /** Further arguments of `openssl cms -sign`. */
  readonly options?: readonly string[]
}

export const extensions = {
  authority: ['basicConstraints=critical,CA:true', 'keyUsage=critical,keyCertSign,cRLSign'],
  signer: ['basicConstraints=CA:false', 'keyUsage=critical,digitalSignature,nonRepudiation'],
  timestamps: ['keyUsage=critical,digitalSignature', 'extendedKeyUsage=critical,timeStamping'],
  responder: ['keyUsage=critical,digitalSignature', 'extendedKeyUsage=OCSPSigning'],
} as const

export const keys = {
  p256: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  p384: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  p521: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  brainpool: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:brainpoolP256r1'],
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  ed25519: ['-algorithm', 'ED25519'],
  ed448: ['-algorithm', 'ED448'],
} as const

export class Pki {
  readonly folder = mkdtempSync(join(tmpdir(), 'pki-'))

  static of(t: { teardown(clean: () => void): void }): Pki {
    const pki = new Pki()
    t.teardown(() => rmSync(pki.folder, { recursive: true, force: true }))
    return pki
  }

  /** A new authority, which issued itself unless an issuer is given. */
  authority(name: string, issuer?: Authority, options: CertificateOptions = {}): Authority {
    const folder = join(this.folder, randomUUID())
    mkdirSync(folder)
    const authority = new Authority(this, folder, name)
    authority.identify(issuer ?? authority, { extensions: extensions.authority, ...options })
    return authority
  }

  run(args: readonly string[], input?: Uint8Array): Buffer {
    return execFileSync('openssl', args, {
      cwd: this.folder,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(input === undefined ? {} : { input }),
    })
  }

  path(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, `${randomUUID()}-${name}`)
    writeFileSync(path, content)
    return path
  }

  /** A detached CMS in DER, with the signing time of now. */
  cms(
    data: Uint8Array,
    signer: Identity,
    { digest = 'sha256', certificates = [], options = ['-cades'] }: CmsOptions = {},
  ) {
    const chain = certificates.map(({ cert }) => readFileSync(cert, 'utf8')).join('')
    return this.run([
      ...['cms', '-sign', '-binary', '-in', this.path('data', data), '-signer', signer.cert, '-inkey', signer.key],
      ...(chain === '' ? [] : ['-certfile', this.path('chain.pem', chain)]),
      ...['-outform', 'DER', '-md', digest, ...options],
    ])
  }

  /** The response of an authority to a request (RFC 3161), both in DER. */
  timestampResponse(request: Uint8Array, authority: Identity, certificates: readonly Identity[] = []): Buffer {
    const chain = [authority, ...certificates].map(({ cert }) => readFileSync(cert, 'utf8')).join('')
    const config = this.path(
      'tsa.cnf',
      [
        '[tsa]',
        'default_tsa = t',
        '[t]',
        `serial = ${join(this.folder, 'tsa-serial')}`,
        `signer_cert = ${authority.cert}`,
        `signer_key = ${authority.key}`,
        `certs = ${this.path('chain.pem', chain)}`,
        'signer_digest = sha256',
        'default_policy = 1.2.3.4.1',
        'digests = sha1, sha256, sha384, sha512',
        'ess_cert_id_alg = sha256',
      ].join('\n'),
    )
    return this.run(['ts', '-reply', '-config', config, '-queryfile', this.path('query', request)])
  }

  /** A timestamp of the data, as a CMS in DER. */
  timestamp(data: Uint8Array, authority: Identity, certificates: readonly Identity[] = [], digest = 'sha256'): Buffer {
    const hex = createHash(digest).update(data).digest('hex')
    const request = this.run(['ts', '-query', '-digest', hex, `-${digest}`, '-cert'])
    const response = this.path('reply', this.timestampResponse(request, authority, certificates))
    return this.run(['ts', '-reply', '-in', response, '-token_out'])
  }
}

export class Authority implements Identity {
  key = ''
  cert = ''
  der: Uint8Array = new Uint8Array()

  constructor(
    private readonly pki: Pki,
    private readonly folder: string,
    readonly name: string,
  ) {
    writeFileSync(this.#index, '')
    writeFileSync(
      this.#config,
      [
        '[ca]',
        'default_ca = this',
        '[this]',
        `database = ${this.#index}`,
        `new_certs_dir = ${folder}`,
        `crlnumber = ${join(folder, 'crlnumber')}`,
        'rand_serial = yes',
        'unique_subject = no',
        'default_md = sha256',
        'policy = any',
        '[any]',
        'commonName = supplied',
        '[req]',
        'distinguished_name = name',
        '[name]',
      ].join('\n'),
    )
    writeFileSync(join(folder, 'crlnumber'), '01\n')
  }

  get #index(): string {
    return join(this.folder, 'index.txt')
  }

  get #config(): string {
    return join(this.folder, 'ca.cnf')
  }

  /** Becomes the owner of a new key and a certificate of the issuer. */
  identify(issuer: Authority, options: CertificateOptions): void {
    const identity = issuer.#issue(this.name, options, issuer === this)
    Object.assign(this, identity)
  }

  issue(name: string, options: CertificateOptions = {}): Identity {
    return this.#issue(name, options, false)
  }

  #issue(
    name: string,
    {
      extensions: lines = extensions.signer,
      from = '20200101000000Z',
      until = '20490101000000Z',
      key: keyArguments = keys.p256,
      digest = 'sha256',
    }: CertificateOptions,
    isOwn: boolean,
  ): Identity {
    const [key, request, cert] = ['key.pem', 'request.pem', 'cert.pem'].map((file) =>
      join(this.folder, `${randomUUID()}-${file}`),
    ) as [string, string, string]
    this.pki.run(['genpkey', ...keyArguments, '-out', key])
    this.pki.run(['req', '-new', '-config', this.#config, '-key', key, '-subj', `/CN=${name}`, '-out', request])
    const extensionFile = this.pki.path('extensions', lines.join('\n'))
    this.pki.run([
      ...['ca', '-batch', '-notext', '-config', this.#config, '-in', request, '-out', cert, '-extfile', extensionFile],
      ...['-startdate', from, '-enddate', until, '-md', digest],
      ...(isOwn ? ['-selfsign', '-keyfile', key] : ['-cert', this.cert, '-keyfile', this.key]),
    ])
    return { key, cert, der: new X509Certificate(readFileSync(cert)).raw }
  }

  /** `at`: `YYMMDDHHMMSSZ`; default: now. */
  revoke({ cert, der }: Identity, at?: string): void {
    this.#ca(['-revoke', cert, '-crl_reason', 'superseded'])
    if (at === undefined) return
    const serial = new X509Certificate(der).serialNumber
    const lines = readFileSync(this.#index, 'utf8').split('\n')
    const moved = lines.map((line) => (line.includes(`\t${serial}\t`) ? withTime(line, at) : line))
    writeFileSync(this.#index, moved.join('\n'))
  }

  /** A list of what is revoked, in DER, valid for 30 days. */
  crl(): Buffer {
    const pem = this.#ca(['-gencrl', '-crldays', '30'])
    return this.pki.run(['crl', '-outform', 'DER'], pem)
  }

  /** The answer about a certificate, in DER, signed by the authority itself or by a responder. */
  ocsp({ cert }: Identity, responder: Identity = this): Buffer {
    const path = join(this.folder, `${randomUUID()}-ocsp.der`)
    this.pki.run([
      ...['ocsp', '-index', this.#index, '-CA', this.cert, '-issuer', this.cert, '-cert', cert],
      ...['-rsigner', responder.cert, '-rkey', responder.key, '-ndays', '30', '-respout', path, '-noverify'],
    ])
    return readFileSync(path)
  }

  #ca(args: readonly string[]): Buffer {
    return this.pki.run(['ca', '-config', this.#config, '-cert', this.cert, '-keyfile', this.key, ...args])
  }
}

/** Status, expiry, revocation with its reason, serial, …, separated by tabs. */
function withTime(line: string, at: string): string {
  const [status, expiry, , ...rest] = line.split('\t')
  return [status, expiry, `${at},superseded`, ...rest].join('\t')
}
