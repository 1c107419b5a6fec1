// The contents of a document timestamp: a CMS of the right shape, whose signature nobody can verify.

const element = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  return Buffer.concat([Buffer.from(length < 128 ? [tag, length] : [tag, 0x81, length]), content])
}
const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, ...parts)
const set = (...parts: readonly Buffer[]): Buffer => element(0x31, ...parts)
const octets = (bytes: Buffer): Buffer => element(0x04, bytes)
const explicit = (part: Buffer): Buffer => element(0xa0, part)
const integer = (value: number): Buffer => element(0x02, Buffer.from([value]))
const objectId = (hex: string): Buffer => element(0x06, Buffer.from(hex, 'hex'))

const ids = {
  data: objectId('2a864886f70d010701'),
  signedData: objectId('2a864886f70d010702'),
  timestamp: objectId('2a864886f70d0109100104'),
  sha256: objectId('608648016503040201'),
  rsa: objectId('2a864886f70d010101'),
  policy: objectId('2a0304'),
}

const info = sequence(
  integer(1),
  ids.policy,
  sequence(sequence(ids.sha256), octets(Buffer.alloc(32))),
  integer(1),
  element(0x18, Buffer.from('20260102030405Z')),
)
const signer = sequence(
  integer(3),
  element(0x80, Buffer.from('key')),
  sequence(ids.sha256),
  sequence(ids.rsa),
  octets(Buffer.from('signature')),
)

const cms = (type: Buffer): string =>
  sequence(
    ids.signedData,
    explicit(sequence(integer(3), set(sequence(ids.sha256)), sequence(type, explicit(octets(info))), set(signer))),
  ).toString('hex')

/** Hexadecimal digits of a token, and of a CMS that signs something else. */
export const timestampContents = cms(ids.timestamp)
export const otherContents = cms(ids.data)
