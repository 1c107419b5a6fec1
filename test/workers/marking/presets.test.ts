// Presets find numbers in every written form, and refuse those with a wrong checksum.
import t from 'tap'
import { presetPatterns } from '../../../workers/marking/presets/index.js'

const found = (preset: keyof typeof presetPatterns, text: string): readonly string[] => {
  const points = [...text]
  return [...presetPatterns[preset].matches({ text, columnBreaks: new Set() })].map(({ start, count }) =>
    points.slice(start, start + count).join(''),
  )
}

interface Examples {
  readonly whole: readonly string[]
  readonly none: readonly string[]
}

const examples: Readonly<Record<keyof typeof presetPatterns, Examples>> = {
  iban: {
    whole: [
      'DE89370400440532013000',
      'DE89 3704 0044 0532 0130 00',
      'de89 3704 0044 0532 0130 00',
      'GB82 WEST 1234 5698 7654 32',
      'FR14 2004 1010 0505 0001 3M02 606',
      'NO9386011117947',
      'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
      'DE89 3704 0044\n0532 0130 00',
      'CH93-0076-2011-6238-5295-7',
      'DE89 3704\u200b 0044 0532 01\u200e30 00',
      'ＤＥ89\u20113704\u20110044\u20110532\u20110130\u201100',
    ],
    none: [
      'DE89 3704 0044 0532 0130 01',
      'DE88 3704 0044 0532 0130 00',
      'GB82 WEST 1234 5698 7654 23',
      'DE89 3704 0044 0532 0130',
      'XX89 3704 0044 0532 0130 00',
      'DE89370400440532013000X',
      'ADE89370400440532013000',
      'DE89 3704 0044   0532 0130 00',
    ],
  },
  card: {
    whole: [
      '4111111111111111',
      '4111 1111 1111 1111',
      '4111-1111-1111-1111',
      '3782 822463 10005',
      '5555 5555 5555 4444',
      '6011111111111117',
      '4222222222222',
      '4111–1111–1111–1111',
      '٤١١١ ١١١١ ١١١١ ١١١١',
      '4111 1111\n1111 1111',
    ],
    none: [
      '4111 1111 1111 1112',
      '5555 5555 5555 4445',
      '4111 1111 1111',
      '1111 1111 1111 1117',
      '41111111111111111111',
      'A4111111111111111',
      '4111111111111111b',
      '4111\n1111\n1111\n1111',
      '4111  1111 1111 1111',
    ],
  },
  email: {
    whole: [
      'ada@example.org',
      'a.b+c_d@sub.example.co.uk',
      "o'neil@ex-ample.com",
      'jörg@müller.de',
      'x@xn--mller-kva.example',
    ],
    none: ['ada@example', '@example.org', 'ada @ example.org', 'ada@.org'],
  },
  phone: {
    whole: [
      '+44 20 7946 0958',
      '+1 (212) 555-0123',
      '0049 30 901820',
      '030 901820',
      '(030) 90 18 20',
      '01 23 45 67 89',
      '01.23.45.67.89',
      '0301234567',
      '(212) 555-0123',
      '212-555-0123',
    ],
    none: ['01.02.2024', '01/02/24', '2024-01-02', '12345678', 'A0301234567', '030 12', '+12'],
  },
}

for (const [preset, { whole, none }] of Object.entries(examples) as [keyof typeof examples, Examples][]) {
  t.test(`${preset}: right ones are found as a whole, within a text too`, async (t) => {
    for (const text of whole) {
      t.same(found(preset, text), [text], text)
      t.same(found(preset, `𝒜 before: ${text}, and after`), [text], `within a text: ${text}`)
    }
  })
  t.test(`${preset}: others are not`, async (t) => {
    for (const text of none) t.same(found(preset, text), [], text)
  })
}

t.test('several numbers are found, each alone, also beside other digits', async (t) => {
  t.same(found('card', '12 4111 1111 1111 1111 and 5555555555554444'), ['4111 1111 1111 1111', '5555555555554444'])
  const ibans = ['DE89370400440532013000', 'GB82WEST12345698765432']
  t.same(found('iban', ibans.join(' ')), ibans)
  t.same(found('email', 'ada@example.org,eve@example.org.'), ['ada@example.org', 'eve@example.org'])
})

t.test('a long text that is nearly a number everywhere is searched to its end', async (t) => {
  for (const [preset, piece] of [
    ['iban', 'DE89 3704 '],
    ['card', '4111 '],
    ['email', 'a.a@a-'],
    ['phone', '0 0(0) '],
  ] as const)
    t.equal(
      found(preset, `${piece.repeat(20_000)} ${examples[preset].whole[0]}`).at(-1),
      examples[preset].whole[0],
      preset,
    )
})
