// Encrypts a PDF made by `raw-pdf.ts` under every scheme, object by object, so that object numbers do not change. qpdf
// creates the /Encrypt dictionary and the key; none of the tested code is involved.
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { judged } from './judges.js'
import { onePage } from './raw-pdf.js'

type Cipher = (bytes: Buffer, number: number, generation: number) => Buffer

export interface Scheme {
  readonly name: string
  readonly user: string
  readonly owner: string
  /** Arguments of `qpdf --encrypt USER OWNER`. */
  readonly bits: readonly string[]
  readonly cipher: 'rc4' | 'aes' | 'aes-256'
  readonly isMetadataClear?: boolean
  /** True if the crypt filters of strings and streams are /Identity (ISO 32000-2, 7.6.6). */
  readonly isIdentity?: boolean
  /** True if the trailer has no /ID, on which keys of 256 bits do not depend. */
  readonly isWithoutId?: boolean
}

const both = { user: 'open sesame', owner: 'owner' }

export const schemes: readonly Scheme[] = [
  { name: 'RC4, 40 bits', ...both, bits: ['40'], cipher: 'rc4' },
  { name: 'RC4, 128 bits', ...both, bits: ['128', '--use-aes=n'], cipher: 'rc4' },
  { name: 'RC4, 128 bits, as a crypt filter', ...both, bits: ['128', '--use-aes=n', '--force-V4'], cipher: 'rc4' },
  { name: 'AES, 128 bits', ...both, bits: ['128', '--use-aes=y'], cipher: 'aes' },
  {
    name: 'AES, 128 bits, metadata in the clear',
    ...both,
    bits: ['128', '--use-aes=y', '--cleartext-metadata'],
    cipher: 'aes',
    isMetadataClear: true,
  },
  { name: 'AES, 256 bits, revision 5', ...both, bits: ['256', '--force-R5'], cipher: 'aes-256' },
  { name: 'AES, 256 bits', ...both, bits: ['256'], cipher: 'aes-256' },
  {
    name: 'AES, 256 bits, metadata in the clear',
    ...both,
    bits: ['256', '--cleartext-metadata'],
    cipher: 'aes-256',
    isMetadataClear: true,
  },
  { name: 'AES, 128 bits, no user password', user: '', owner: 'owner', bits: ['128', '--use-aes=y'], cipher: 'aes' },
  { name: 'AES, 256 bits, no user password', user: '', owner: 'owner', bits: ['256'], cipher: 'aes-256' },
  { name: 'AES, 256 bits, no /ID', ...both, bits: ['256'], cipher: 'aes-256', isWithoutId: true },
  { name: 'AES, 256 bits, one password', user: 'same', owner: 'same', bits: ['256'], cipher: 'aes-256' },
  { name: 'AES, 256 bits, Unicode', user: 'pässwörd Ω', owner: 'оунер', bits: ['256'], cipher: 'aes-256' },
  { name: 'crypt filters that do nothing', ...both, bits: ['128', '--use-aes=y'], cipher: 'aes', isIdentity: true },
]

/** Encrypts with qpdf, which must be installed. */
export function encryptedPdf(plain: Buffer, scheme: Scheme): Buffer {
  const { encrypt, id, key } = encryptionOf(scheme)
  const cipher = scheme.isIdentity ? (bytes: Buffer) => bytes : cipherOf(scheme, key)
  const [, trailer = ''] = /trailer\n<<([\s\S]*)>>\nstartxref/.exec(plain.toString('latin1')) ?? []
  const parts = ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n']
  const places = new Map<number, number>()
  let at = parts[0]?.length ?? 0
  for (const [, number = '', body = ''] of plain
    .toString('latin1')
    .matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj(?=\n)/g)) {
    const object = `${number} 0 obj\n${encryptedBody(body, Number(number), { cipher, scheme })}\nendobj\n`
    places.set(Number(number), at)
    parts.push(object)
    at += object.length
  }
  const size = Math.max(...places.keys()) + 1
  const entries = Array.from({ length: size }, (_, number) => {
    const place = places.get(number)
    return place === undefined ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const withoutId = trailer.replace(/\/ID\[[^\]]*\]/, '')
  parts.push(
    `xref\n0 ${size}\n${entries.join('')}trailer\n<<${withoutId}${scheme.isWithoutId ? '' : `/ID${id}`}/Encrypt ${encrypt}>>\n`,
  )
  parts.push(`startxref\n${at}\n%%EOF\n`)
  return Buffer.from(parts.join(''), 'latin1')
}

/** Creates the encryption in a separate file: only /ID and the passwords affect it. */
function encryptionOf({ user, owner, bits, isIdentity }: Scheme) {
  const folder = mkdtempSync(join(tmpdir(), 'steward-encrypted-'))
  const [plain, path] = [join(folder, 'plain.pdf'), join(folder, 'encrypted.pdf')]
  try {
    writeFileSync(plain, onePage(''))
    judged('qpdf', ['--allow-weak-crypto', '--encrypt', user, owner, ...bits, '--', plain, path])
    const text = readFileSync(path, 'latin1')
    const shown = judged('qpdf', ['--show-encryption', '--show-encryption-key', `--password=${owner}`, path]).toString()
    const [, key = ''] = /Encryption key = ([0-9a-f]+)/.exec(shown) ?? []
    const [, id = ''] = /\/ID (\[[^\]]*\])/.exec(text) ?? []
    const [, encrypt = ''] = /\n(<<[^\n]*\/Filter \/Standard[^\n]*>>)\nendobj/.exec(text) ?? []
    const named = isIdentity ? encrypt.replace(/\/(St[mr]F) \/StdCF/g, '/$1 /Identity') : encrypt
    return { encrypt: named, id, key: Buffer.from(key, 'hex') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function cipherOf({ cipher }: Scheme, key: Buffer): Cipher {
  if (cipher === 'aes-256') return (bytes) => aes('aes-256-cbc', key, bytes)
  return (bytes, number, generation) => {
    const suffix = Buffer.alloc(5)
    suffix.writeUIntLE(number, 0, 3)
    suffix.writeUIntLE(generation, 3, 2)
    // Key of one object (ISO 32000-2, 7.6.3.2).
    const salt = cipher === 'aes' ? 'sAlT' : ''
    const digest = createHash('md5').update(key).update(suffix).update(salt).digest()
    const ofObject = digest.subarray(0, Math.min(16, key.length + 5))
    return cipher === 'aes' ? aes('aes-128-cbc', ofObject, bytes) : rc4(ofObject, bytes)
  }
}

function aes(algorithm: 'aes-128-cbc' | 'aes-256-cbc', key: Buffer, bytes: Buffer): Buffer {
  const start = randomBytes(16)
  const cipher = createCipheriv(algorithm, key, start)
  return Buffer.concat([start, cipher.update(bytes), cipher.final()])
}

function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (one: number, other: number) => {
    const [first = 0, second = 0] = [state[one], state[other]]
    state[one] = second
    state[other] = first
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255
      j = (j + (state[i] ?? 0)) & 255
      swap(i, j)
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0)
    }),
  )
}

interface Encrypting {
  readonly cipher: Cipher
  readonly scheme: Scheme
}

function encryptedBody(body: string, number: number, { cipher, scheme }: Encrypting): string {
  const [, dictionary = body, stream] = /^([\s\S]*?)\nstream\n([\s\S]*)\nendstream$/.exec(body) ?? []
  const encrypt = (bytes: Buffer) => cipher(bytes, number, 0)
  const text = dictionary.replace(/<<|>>|\((?:\\[\s\S]|[^\\)])*\)|<[0-9A-Fa-f\s]*>/g, (token) =>
    token === '<<' || token === '>>' ? token : `<${encrypt(stringOf(token)).toString('hex')}>`,
  )
  if (stream === undefined) return text
  const isClear = scheme.isMetadataClear === true && /\/Type\s*\/Metadata/.test(dictionary)
  const plain = Buffer.from(stream, 'latin1')
  const bytes = isClear ? plain : encrypt(plain)
  return `${text.replace(/\/Length \d+/, `/Length ${bytes.length}`)}\nstream\n${bytes.toString('latin1')}\nendstream`
}

/** Decodes the escapes used in test files: delimiters, and three octal digits. */
function stringOf(token: string): Buffer {
  if (token.startsWith('<')) return Buffer.from(token.slice(1, -1).replace(/\s/g, ''), 'hex')
  const text = token
    .slice(1, -1)
    .replace(/\\([0-7]{3}|[\s\S])/g, (_, escaped: string) =>
      escaped.length === 3 ? String.fromCharCode(Number.parseInt(escaped, 8)) : (controls[escaped] ?? escaped),
    )
  return Buffer.from(text, 'latin1')
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
