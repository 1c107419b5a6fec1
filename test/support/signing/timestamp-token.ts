// Timestamp tokens (RFC 3161) made by openssl, with an authority of its own for every token.
import { readFileSync, writeFileSync } from 'node:fs'
import type { Test } from 'tap'
import { judged } from '../pdf/judges.js'
import { Workshop } from '../pdf/workshop.js'

const configuration = `
[req]
distinguished_name = name
x509_extensions = authority
prompt = no
[name]
CN = A Time Authority
[authority]
extendedKeyUsage = critical,timeStamping
keyUsage = critical,digitalSignature
[tsa]
serial = SERIAL
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256, sha384, sha512
ess_cert_id_alg = sha256
`

export interface Timestamp {
  /** Base64. */
  readonly token: string
  /** Throws unless it is a token over this content. */
  verify(content: Uint8Array): void
}

export function timestampOver(t: Test, digest: string): Timestamp {
  const workshop = Workshop.of(t)
  const path = (name: string) => workshop.path(`timestamp-${name}`)
  writeFileSync(path('serial'), '01\n')
  writeFileSync(path('configuration'), configuration.replace('SERIAL', path('serial')))
  const [key, certificate, query, token] = [path('key'), path('certificate'), path('query'), path('token')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-config', path('configuration')]
  judged('openssl', [...request, '-keyout', key, '-out', certificate])
  const bytes = Buffer.from(digest, 'base64')
  judged('openssl', [
    'ts',
    '-query',
    '-digest',
    bytes.toString('hex'),
    `-sha${bytes.length * 8}`,
    '-cert',
    '-out',
    query,
  ])
  const reply = ['ts', '-reply', '-config', path('configuration'), '-section', 'tsa', '-queryfile', query]
  judged('openssl', [...reply, '-signer', certificate, '-inkey', key, '-token_out', '-out', token])
  return {
    token: readFileSync(token).toString('base64'),
    verify(content) {
      const { path: data } = workshop.source(content)
      judged('openssl', ['ts', '-verify', '-data', data, '-in', token, '-token_in', '-CAfile', certificate])
    },
  }
}
