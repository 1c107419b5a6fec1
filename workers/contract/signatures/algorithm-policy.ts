// Schema of the algorithms and keys that an operator accepts: `policy.json` in the folder of trusted roots. What it does
// not state is as ETSI TS 119 312 has it.
import { type Static, Type } from 'typebox'

/** Digest algorithms that a signature in a file may use; MD5 and others are not supported. */
export const digestAlgorithms = [
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha3-256',
  'sha3-384',
  'sha3-512',
  'shake256',
] as const

export const AlgorithmPolicyFile = Type.Object(
  {
    rsaBitsMin: Type.Optional(
      Type.Integer({
        minimum: 1024,
        maximum: 16_384,
        description: 'Minimum length of RSA keys in bits. Default: 1900.',
      }),
    ),
    ecBitsMin: Type.Optional(
      Type.Integer({
        minimum: 160,
        maximum: 521,
        description:
          'Minimum size of the curve of EC keys in bits. Ed25519 and Ed448 are accepted always. Default: 256.',
      }),
    ),
    digests: Type.Optional(
      Type.Array(Type.Enum([...digestAlgorithms]), {
        minItems: 1,
        description: 'Digest algorithms that are accepted. Default: all that are supported but sha1.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type AlgorithmPolicy = Readonly<Required<Static<typeof AlgorithmPolicyFile>>>

export const defaultAlgorithmPolicy: AlgorithmPolicy = {
  rsaBitsMin: 1900,
  ecBitsMin: 256,
  digests: digestAlgorithms.filter((name) => name !== 'sha1'),
}
