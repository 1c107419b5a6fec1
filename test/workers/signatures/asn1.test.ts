// Values of ASN.1: what each reader returns at the border of what it accepts, and what it says about what lies beyond.
import t from 'tap'
import { algorithmIdentifier } from '../../../workers/signatures/asn1/algorithm-identifier.js'
import { definite } from '../../../workers/signatures/asn1/der.js'
import { Asn1Error, type Element, onlyElement, tags } from '../../../workers/signatures/asn1/element.js'
import { explicit, listOf, Members } from '../../../workers/signatures/asn1/members.js'
import {
  bitsOf,
  booleanOf,
  bytesOfBits,
  integerHex,
  octetsOf,
  oidOf,
  smallInteger,
  textOf,
  timeOf,
} from '../../../workers/signatures/asn1/values.js'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const ascii = (text: string) => `${text.length.toString(16).padStart(2, '0')}${Buffer.from(text).toString('hex')}`
const nested = (start: string, depth: number, end: string) => start.repeat(depth) + end.repeat(depth)

/** Reads a structure of one integer, and nothing else. */
function member(element: Element): string {
  const members = Members.of(element, 'It')
  const value = integerHex(members.take(tags.integer))
  members.end()
  return value
}

type Reader = (element: Element) => unknown
const whole: Reader = (element) => hex(definite(element))
/** By reader: bytes, and the value or what is wrong. */
const cases: Readonly<Record<string, readonly [Reader, Readonly<Record<string, unknown>>]>> = {
  element: [
    whole,
    {
      '0500': '0500',
      '05': 'an element ends too early',
      '050000': 'bytes follow the element',
      '1f0100': 'tag number above 30',
      '0480': 'indefinite length of a primitive element',
      '048400000001aa': '0401aa',
      '04850000000001aa': 'length of more than four bytes',
      '0402aa': 'an element is longer than what contains it',
      '308005000000': '30020500',
      '30800500': 'an element of indefinite length does not end',
      [nested('3080', 32, '0000')]: /^30/,
      [nested('3080', 33, '0000')]: 'elements are nested too deeply',
    },
  ],
  members: [
    member,
    {
      '3003020107': '07',
      '3103020107': 'It is not a sequence',
      '3000': 'It lacks a member',
      '30030401aa': 'It lacks a member',
      '30060201070201ff': 'It has unknown members',
      '1000': 'a primitive element has no members',
    },
  ],
  'algorithm identifier': [
    (element) => {
      const { oid, parameters } = algorithmIdentifier(element)
      return [oid, parameters && hex(definite(parameters))]
    },
    {
      '300406022a03': ['1.2.3', undefined],
      '300606022a030500': ['1.2.3', undefined],
      '300706022a03020107': ['1.2.3', '020107'],
      '300906022a030500020107': 'AlgorithmIdentifier has unknown members',
      '3000': 'AlgorithmIdentifier lacks a member',
    },
  ],
  list: [
    (element) => listOf(element, tags.set, 'It').length,
    { '3100': 0, '310405000500': 2, '3000': 'It is not a list' },
  ],
  explicit: [
    (element) => explicit(element).tag,
    {
      a0020500: tags.null,
      a000: 'an explicit tag contains exactly one element',
      a00405000500: 'an explicit tag contains exactly one element',
    },
  ],
  'object identifier': [
    oidOf,
    {
      '06032a8648': '1.2.840',
      '06042a864886': 'a malformed object identifier',
      '06022a03': '1.2.3',
      '060127': '0.39',
      '060128': '1.0',
      '06014f': '1.39',
      '060150': '2.0',
      '06038837 03': '2.999.3',
      [`0640${'01'.repeat(64)}`]: `0.1${'.1'.repeat(63)}`,
      [`0641${'01'.repeat(65)}`]: 'a malformed object identifier',
      '0600': 'a malformed object identifier',
      '0500': 'an object identifier is expected',
    },
  ],
  integer: [
    integerHex,
    {
      '020100': '00',
      '02030000ff': 'ff',
      '02020100': '0100',
      '0200': 'an integer without digits',
      '0401aa': 'an integer is expected',
    },
  ],
  'small integer': [
    smallInteger,
    {
      '020100': 0,
      '02047fffffff': 2 ** 31 - 1,
      '020180': 'an integer out of range',
      '02050000000001': 'an integer out of range',
      '0200': 'an integer out of range',
    },
  ],
  boolean: [
    booleanOf,
    { '010100': false, '010101': true, '0100': 'a malformed boolean', '01020101': 'a malformed boolean' },
  ],
  'octet string': [
    (element) => hex(octetsOf(element)),
    {
      '0402aabb': 'aabb',
      '24060401aa0401bb': 'aabb',
      '24800401aa0000': 'aa',
      '2403020101': 'a malformed octet string',
      [nested('2480', 33, '0000')]: 'elements are nested too deeply',
    },
  ],
  'bytes of a bit string': [
    (element) => hex(bytesOfBits(element)),
    {
      '030200aa': 'aa',
      '030201aa': 'a bit string without whole bytes',
      '0300': 'a bit string without whole bytes',
      '2304030200aa': 'a bit string without whole bytes',
    },
  ],
  bits: [
    (element) => [...bitsOf(element)],
    {
      '030205a0': [0, 2],
      '0303070080': [8],
      '03050000000001': [31],
      '0306000000000001': 'a malformed bit string',
      '030208a0': 'a malformed bit string',
      '0300': 'a malformed bit string',
      '2303030100': 'a malformed bit string',
    },
  ],
  time: [
    (element) => timeOf(element).toISOString(),
    {
      [`17${ascii('491231235959Z')}`]: '2049-12-31T23:59:59.000Z',
      [`17${ascii('500101000000Z')}`]: '1950-01-01T00:00:00.000Z',
      [`17${ascii('2601021504+0130')}`]: '2026-01-02T13:34:00.000Z',
      [`18${ascii('20260102150405.25Z')}`]: '2026-01-02T15:04:05.250Z',
      [`18${ascii('20260102150405.123456-0100')}`]: '2026-01-02T16:04:05.123Z',
      [`18${ascii('202601021504Z')}`]: '2026-01-02T15:04:00.000Z',
      [`18${ascii('20261302150405Z')}`]: 'a malformed time',
      [`17${ascii('yesterday')}`]: 'a malformed time',
      '0500': 'a time is expected',
    },
  ],
  text: [
    textOf,
    {
      '0c02c3a4': 'ä',
      '1301 41': 'A',
      '1401e4': 'ä',
      '1e0200e4': 'ä',
      '2c040c0261 62': undefined,
      '040161': undefined,
    },
  ],
}

for (const [title, [read, answers]] of Object.entries(cases))
  t.test(title, async (t) => {
    for (const [written, expected] of Object.entries(answers)) {
      const found = () => {
        try {
          return read(onlyElement(Buffer.from(written.replaceAll(' ', ''), 'hex')))
        } catch (error) {
          if (!(error instanceof Asn1Error)) throw error
          return error.message
        }
      }
      if (expected instanceof RegExp) t.match(found(), expected, written)
      else t.same(found(), expected, written)
    }
  })
